#!/bin/sh
# Every public header stands alone, as C17 and as C++17.
set -eu
for header in include/talus/*.h; do
    gcc -x c -std=c17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$header"
    g++ -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$header"
done
echo "public headers are in order"
