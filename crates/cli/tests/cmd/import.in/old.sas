begin_variables
1
var0 2 -1
end_variables
