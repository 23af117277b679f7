"""The command line ``gradstep``: the group of all commands, and how it ends. Commands load what they need when they run."""

from __future__ import annotations

import sys

import click

from pencils.errors import GradstepError
from theory.commands.judge import compare, simulate, verify
from theory.commands.options import fail
from theory.commands.read import derive, eval_, list_, show
from theory.commands.spectrum import spectrum
from theory.commands.trace import trace
from theory.commands.write import export, plot


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """A machine-checked book of the theory of one gradient step.

    KEY is an entry of the register (`gradstep list`). Parameters are name=value: decimals and fractions are exact, an
    activation or teacher is a name (tanh, relu, softplus, ...) or a formula in x.
    """


for command in (list_, show, eval_, verify, compare, derive, simulate, plot, export, trace, spectrum):
    main.add_command(command)


def run() -> None:
    """Entry point: every error is one line on standard error and exit status 2."""
    try:
        code = main.main(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        sys.exit(0)
    except click.exceptions.Abort:
        fail("interrupted", 130)
    except click.ClickException as error:
        fail(error.format_message(), 2)
    except GradstepError as error:
        fail(str(error), 2)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        fail(f"{error.filename or 'file'}: {error.strerror or error}", 2)
    except (MemoryError, OverflowError, RecursionError) as error:
        fail(f"too large for this machine: {error or type(error).__name__}", 2)
    sys.exit(code if isinstance(code, int) else 0)
