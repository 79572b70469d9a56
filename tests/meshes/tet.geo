SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 2, 3};
Mesh.MeshSizeMin = 3; Mesh.MeshSizeMax = 3; Mesh.ElementOrder = 2;
Physical Volume("body") = {1}; Physical Surface("floor") = {5};
