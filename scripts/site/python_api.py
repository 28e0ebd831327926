"""The page of the Python package, from its sources: signatures and docstrings of what `wick.__all__` names."""
import ast


def signature(node):
    arguments = ast.unparse(node.args)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){returns}"


def is_public(node):
    return not node.name.startswith("_") or node.name in ("__call__", "__getitem__", "__len__", "__iter__")


def decorators(node):
    return {ast.unparse(d) for d in node.decorator_list}


def docs(node):
    text = ast.get_docstring(node)
    return [text, ""] if text else []


def of_class(node):
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    out = [f"## `{node.name}`", "", *docs(node)]
    if bases:
        out += [f"Derives from `{bases}`.", ""]
    lines = []
    for member in node.body:
        if isinstance(member, ast.AnnAssign):
            lines.append(ast.unparse(member))
        elif isinstance(member, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_public(member):
            found = decorators(member)
            if any(d.endswith(".setter") for d in found):
                continue
            if "property" in found:
                lines.append(f"{member.name}: {ast.unparse(member.returns) if member.returns else 'Any'}")
            else:
                lines.append(signature(member))
            text = ast.get_docstring(member)
            if text:
                lines += ["    # " + line if line else "    #" for line in text.split("\n")]
    return out + (["```python", *lines, "```", ""] if lines else [])


def page(package):
    """The Markdown of the package in the folder `package`, and the names in it."""
    trees = [ast.parse(path.read_text()) for path in [*sorted(package.glob("*.py")), *sorted(package.glob("*.pyi"))]]
    public = next(ast.literal_eval(node.value) for tree in trees for node in tree.body
                  if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__")
    found = {}
    for tree in trees:
        for node in tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and node.name in public:
                same = found.setdefault(node.name, [])
                if not same or decorators(node) & {"overload"}:
                    same.append(node)
    out = ["# wick, in Python", "", "`import wick`. Models, values and who owns memory are explained in "
           "[Python](../python.md).", ""]
    functions = [name for name in sorted(found) if isinstance(found[name][0], ast.FunctionDef)]
    for name in functions:
        nodes = found[name]
        out += [f"## `{name}`", "", "```python", *(signature(node) for node in nodes), "```", ""]
        out += next((docs(node) for node in nodes if docs(node)), [])
    for name in sorted(set(found) - set(functions)):
        out += of_class(found[name][0])
    return "\n".join(out), set(found), set(public)
