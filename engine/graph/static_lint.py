"""A proof that a graph is one an NPU compiles: static, stateless, and of operations that its compiler knows."""

from __future__ import annotations

import openvino as ov

from idlepool.engine.errors import NoStaticForm

# Read from the NPU compiler's own importer, src/vpux_compiler/src/frontend/IE.cpp of openvinotoolkit/npu_compiler at
# commit 0ccf9bf3faf8106f5575a905d665feab44e59b6f (Apache-2.0): the operations in the dispatch map of
# NGraphImporter::getParser(), of which those of vision, recurrence, control flow and state are left out here, ...
_IMPORTED = """
    Abs Add BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Broadcast Ceiling Clamp Concat Constant Convert ConvertLike Cos
    CumSum Divide Elu Equal Erf Exp FakeQuantize Floor FloorMod Gather GatherElements GatherND Gelu Greater GreaterEqual
    HSigmoid HSwish HardSigmoid Less LessEqual Log LogSoftmax LogicalAnd LogicalNot LogicalOr LogicalXor MVN MatMul
    Maximum Minimum Mish Mod Multiply Negative NormalizeL2 NotEqual OneHot Pad Parameter Power Range ReduceL1 ReduceL2
    ReduceLogicalAnd ReduceLogicalOr ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Relu Reshape Result Round
    ScaledDotProductAttention ScatterElementsUpdate ScatterNDUpdate ScatterUpdate Select Sigmoid Sign Sin SoftPlus
    Softmax Split Sqrt SquaredDifference Squeeze StridedSlice Subtract Swish Tan Tanh Tile TopK Transpose Unsqueeze
    VariadicSplit
"""
# ... and those that its passes, run before the importer, replace by these (SliceToStridedSlice, EinsumDecomposition).
_REPLACED = "Einsum Slice"

NPU_OPERATIONS = frozenset(_IMPORTED.split()) | frozenset(_REPLACED.split())
"""Operation types that a static graph may contain. Known to the compiler is not proven on hardware."""

# importPrecision() of the same file.
_TYPES = """
    f64 f32 f16 bf16 i64 u64 i32 u32 i16 u16 i8 u8 i4 u4 u2 boolean nf4
"""
NPU_TYPES = frozenset(_TYPES.split())
"""Element types that tensors of a static graph may have."""


def check_static(model: ov.Model) -> None:
    """Raise NoStaticForm, with the first fault found, where the graph is not one that an NPU compiles."""
    for node in model.get_ordered_ops():
        kind, name = node.get_type_name(), node.get_friendly_name()
        if kind in ("ReadValue", "Assign"):
            raise NoStaticForm(f"{name} keeps a state")
        if kind not in NPU_OPERATIONS:
            raise NoStaticForm(f"{name} is an operation, {kind}, that its compiler does not know")
        for output in node.outputs():
            if output.get_partial_shape().is_dynamic:
                raise NoStaticForm(f"the shape of {name} depends on its values")
            if output.get_element_type().get_type_name() not in NPU_TYPES:
                raise NoStaticForm(f"{name} is of the type {output.get_element_type().get_type_name()}")
