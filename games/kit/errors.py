"""Why a game says no. Unreadable is not forbidden: the first no game could carry out."""


class Refusal(Exception):
    """Something was refused: `code` is stable and for programs, `sentence` is for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class Unreadable(Refusal):
    """This is no order at all, in whatever position."""


class Forbidden(Refusal):
    """A readable order that this seat may not give in this position."""


class BadOptions(Refusal):
    """Options that no tournament can be announced with; `option` names the first bad one."""

    def __init__(self, option: str, sentence: str) -> None:
        super().__init__("bad-option", f"{option}: {sentence}")
        self.option = option


class BadRecord(Refusal):
    """A record, or a state read back, that this version of the game can't have written."""

    def __init__(self, sentence: str) -> None:
        super().__init__("bad-record", sentence)
