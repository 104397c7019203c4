"""Checks commands of the AWS command line by botocore's models, from which that command line is built.

Reads a JSON array of commands, each an array of words after "aws". Writes a JSON array with a complaint or null for
each: an unknown service, operation or option, a required option that is missing, or a --query for a field that the
answer does not have.
"""

import json
import re
import sys

import botocore.session
from botocore import xform_name

SESSION = botocore.session.get_session()

# Options of every command (docs.aws.amazon.com/cli/latest/userguide/cli-configure-options.html).
GLOBAL = {"--query", "--output", "--region", "--profile", "--cli-binary-format"}

# Names of the command line for services whose models have another one.
SERVICES = {"s3api": "s3", "deploy": "codedeploy"}

# Options with another name on the command line (docs.aws.amazon.com/cli/latest/reference/sns/subscribe.html).
RENAMED = {("sns", "subscribe"): {"--notification-endpoint": "--endpoint"}}

# Commands without a model (docs.aws.amazon.com/cli/latest/reference/logs/tail.html, …/ecr/get-login-password.html).
CUSTOM = {
    ("logs", "tail"): ("--since", "--filter-pattern", "--follow", "--format"),
    ("ecr", "get-login-password"): (),
}


def options_of(words):
    return [word for word in words if word.startswith("--")]


def queried(shape, query):
    """The first field of a path such as Stacks[0].Name that the answer does not have."""
    for name in re.findall(r"[A-Za-z]\w*(?=$|[.\[])", re.split(r"\[\?|\[\]\.\[|\s", query)[0]):
        while shape is not None and shape.type_name == "list":
            shape = shape.member
        if shape is None or shape.type_name != "structure" or name not in shape.members:
            return name
        shape = shape.members[name]
    return None


def complaint(words):
    service, operation, *rest = words
    renamed = RENAMED.get((service, operation), {})
    given = [renamed.get(one, one) for one in options_of(rest)]
    if (service, operation) in CUSTOM:
        unknown = [one for one in given if one not in CUSTOM[service, operation] and one not in GLOBAL]
        return f"unknown option {unknown[0]}" if unknown else None
    name = SERVICES.get(service, service)
    if name not in SESSION.get_available_services():
        return f"unknown service {service}"
    model = SESSION.get_service_model(name)
    operations = {xform_name(one, "-"): one for one in model.operation_names}
    if operation not in operations:
        return f"unknown operation {operation}"
    asked = model.operation_model(operations[operation])
    shapes = asked.input_shape.members if asked.input_shape else {}
    known = {"--" + xform_name(one, "-"): one for one in shapes}
    flags = {"--no-" + name[2:] for name, one in known.items() if shapes[one].type_name == "boolean"}
    for one in given:
        if one not in known and one not in flags and one not in GLOBAL:
            return f"unknown option {one}"
    required = asked.input_shape.required_members if asked.input_shape else []
    for one in required:
        option = "--" + xform_name(one, "-")
        if option not in given and "--no-" + option[2:] not in given:
            return f"missing option {option}"
    if "--query" in given:
        lost = queried(asked.output_shape, rest[rest.index("--query") + 1])
        if lost:
            return f"the answer has no {lost}"
    return None


print(json.dumps([complaint(words) for words in json.load(sys.stdin)]))
