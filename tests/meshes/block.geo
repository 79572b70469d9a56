// A block of 2 x 1 x 1 m, of two regions along x: hexahedra to the left, wedges to the right.
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 1, 0}; Point(4) = {0, 1, 0}; Point(5) = {2, 0, 0}; Point(6) = {2, 1, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1}; Line(5) = {2, 5}; Line(6) = {5, 6}; Line(7) = {6, 3};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Curve Loop(2) = {5, 6, 7, -2}; Plane Surface(2) = {2};
Transfinite Curve {1, 2, 3, 4, 5, 6, 7} = 2;
Transfinite Surface {1, 2};
Recombine Surface {1};
left[] = Extrude {0, 0, 1} { Surface{1}; Layers{2}; Recombine; };
right[] = Extrude {0, 0, 1} { Surface{2}; Layers{2}; Recombine; };
Physical Volume("clay") = {left[1]};
Physical Volume("sand") = {right[1]};
Physical Surface("bottom") = {1, 2};
Physical Surface("top") = {left[0], right[0]};
Physical Surface("all", 99) = {1, 2, left[0], right[0]};
Physical Point("corner") = {1};
