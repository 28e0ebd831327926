#!/usr/bin/env python3
"""manual.py WICK FOLDER: man pages and completions for bash, zsh and fish, of the table that `WICK --commands` prints.

Writes FOLDER/man1/wick.1 and wick-COMMAND.1, FOLDER/bash/wick, FOLDER/zsh/_wick and FOLDER/fish/wick.fish; and a page
FOLDER/man1/NAME.1 of each program with the name of a PyTorch tool that stands beside WICK, of its --help."""
import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess

# In the order of tools/CMakeLists.txt, which a test compares.
PYTORCH_TOOLS = ("compare_models_torch", "dump_operator_names", "lite_interpreter_model_load", "load_benchmark_torch",
                 "model_tracer", "optimize_for_mobile", "speed_benchmark_torch")


def roff(text):
    """Text as troff shows it: no escapes, no requests."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def date():
    stamp = os.environ.get("SOURCE_DATE_EPOCH")
    day = datetime.datetime.fromtimestamp(int(stamp), datetime.timezone.utc) if stamp else datetime.datetime.now()
    return day.strftime("%Y-%m-%d")


def head(name, version):
    return f'.TH {name.upper()} 1 "{date()}" "wick {version}" "User Commands"\n'


def man_of_command(command, version):
    name = f"wick-{command['name']}"
    out = head(name, version)
    out += f".SH NAME\n{roff(name)} \\- {roff(command['summary'])}\n"
    out += f".SH SYNOPSIS\n.B wick {command['name']}\n.I {roff(command['operands'])}\n[options]\n"
    out += f".SH DESCRIPTION\n{roff(command['description'])}\n.SH OPTIONS\n"
    for option in command["options"]:
        value = f" \\fI{roff(option['value'])}\\fR" if "value" in option else ""
        out += f".TP\n\\fB{roff(option['name'])}\\fR{value}\n{roff(option['help'])}\n"
    out += ".SH EXIT STATUS\n0 on success, 1 when the model or the machine does not allow it, 2 when the command line is wrong.\n"
    return out + ".SH SEE ALSO\n.BR wick (1)\n"


def man_of_all(table):
    out = head("wick", table["version"])
    out += ".SH NAME\nwick \\- run PyTorch model files without PyTorch\n.SH SYNOPSIS\n.B wick\n.I COMMAND MODEL\n[options]\n"
    out += ".SH DESCRIPTION\nRuns, inspects, converts, quantizes and optimizes PyTorch model files (.ptl, .pt).\n.SH COMMANDS\n"
    for command in table["commands"]:
        out += f".TP\n.BR wick\\-{command['name']} (1)\n{roff(command['summary'])}\n"
    return out + ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nNo colors, also on a terminal.\n"


def man_of_tool(name, text, version):
    """The page of a program with a PyTorch tool's name: `text` is what its --help prints."""
    before, _, arguments = text.partition("Arguments:")
    summary, _, example = before.strip().partition("\n")
    out = head(name, version)
    out += f".SH NAME\n{roff(name)} \\- {roff(summary[0].lower() + summary[1:].rstrip('.'))}\n"
    out += f".SH SYNOPSIS\n.B {roff(name)}\n[--flag=value ...]\n"
    out += (f".SH DESCRIPTION\n{roff(summary)}\nIt has the name, the flags and the output of PyTorch's tool, and runs "
            "models without PyTorch.\n")
    if example:
        out += f".PP\n.nf\n{roff(example)}\n.fi\n"
    out += ".SH OPTIONS\n"
    for flag, kind, initial, meaning in re.findall(r"^    (\w+): \((\w+), default (.*?)\) (.*)$", arguments, re.MULTILINE):
        out += f".TP\n\\fB\\-\\-{roff(flag)}\\fR=\\fI{kind}\\fR\n{roff(meaning)} Default: {roff(initial)}.\n"
    return out + ".SH SEE ALSO\n.BR wick (1)\n"


def words(command):
    return " ".join(option["name"] for option in command["options"])


def bash(table):
    cases = "".join(f"    {c['name']}) options='{words(c)}' ;;\n" for c in table["commands"])
    names = " ".join(c["name"] for c in table["commands"])
    return f"""# bash completion for wick
_wick() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} options
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W '{names} --help --version' -- "$word")
    return
  fi
  case ${{COMP_WORDS[1]}} in
{cases}    *) options=--help ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}}
complete -o filenames -F _wick wick
"""


def zsh_text(text):
    return text.split("\n")[0].replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh(table):
    names = "\n".join(f"    '{c['name']}:{zsh_text(c['summary'])}'" for c in table["commands"])
    cases = ""
    for command in table["commands"]:
        lines = []
        for option in command["options"]:
            value = f":{zsh_text(option['value'])}:_files" if "value" in option else ""
            lines.append(f"        '*{option['name']}[{zsh_text(option['help'])}]{value}'")
        cases += f"    {command['name']})\n      _arguments \\\n" + " \\\n".join(lines) + " \\\n        '*:file:_files'\n      ;;\n"
    return f"""#compdef wick
local -a commands
commands=(
{names}
)
if (( CURRENT == 2 )); then
  _describe command commands
  return
fi
local command=$words[2]
shift words
(( CURRENT-- ))
case $command in
{cases}esac
"""


def fish(table):
    def text(s):
        return s.split("\n")[0].replace("\\", "\\\\").replace("'", "\\'")

    out = "# fish completion for wick\n"
    for command in table["commands"]:
        out += f"complete -c wick -n __fish_use_subcommand -f -a {command['name']} -d '{text(command['summary'])}'\n"
    for command in table["commands"]:
        for option in command["options"]:
            value = " -r" if "value" in option else ""
            out += (f"complete -c wick -n '__fish_seen_subcommand_from {command['name']}' -l {option['name'][2:]}{value} "
                    f"-d '{text(option['help'])}'\n")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wick")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    table = json.loads(subprocess.run([options.wick, "--commands"], check=True, capture_output=True, text=True).stdout)
    files = {"man1/wick.1": man_of_all(table), "bash/wick": bash(table), "zsh/_wick": zsh(table), "fish/wick.fish": fish(table)}
    for command in table["commands"]:
        files[f"man1/wick-{command['name']}.1"] = man_of_command(command, table["version"])
    for tool in PYTORCH_TOOLS:
        program = pathlib.Path(options.wick).resolve().parent / tool
        if program.exists():
            said = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
            files[f"man1/{tool}.1"] = man_of_tool(tool, said, table["version"])
    for name, text in files.items():
        path = options.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    print(f"wrote {len(files)} files to {options.folder}")


if __name__ == "__main__":
    main()
