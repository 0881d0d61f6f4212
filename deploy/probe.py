"""Exit 0 if the web process of this container answers: the container's health check."""

import sys
from urllib.request import urlopen

PORT = 8000


def main() -> int:
    try:
        with urlopen(f"http://127.0.0.1:{PORT}/healthz", timeout=4) as answer:
            return 0 if answer.status == 200 else 1
    except OSError as error:
        print(f"The web process does not answer: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
