"""Asking the processor for memory that is needed soon."""

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

READ, SOON, DATA = 0, 3, 1  # operands of LLVM's prefetch: to be read, to be kept in all caches, no instructions


@intrinsic
def prefetch(context, array, index):
    """Begin to read ``array[index]`` into the caches; changes nothing and waits for nothing. Any index is allowed."""

    def codegen(context, builder, signature, arguments):
        kind = signature.args[0]
        made = make_array(kind)(context, builder, arguments[0])
        place = cgutils.get_item_pointer(context, builder, kind, made, [arguments[1]], wraparound=False)
        i32, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        asked = ir.FunctionType(ir.VoidType(), [pointer, i32, i32, i32])
        function = cgutils.get_or_insert_function(builder.module, asked, "llvm.prefetch.p0")
        builder.call(function, [builder.bitcast(place, pointer), i32(READ), i32(SOON), i32(DATA)])
        return context.get_dummy_value()

    return types.none(array, types.intp), codegen
