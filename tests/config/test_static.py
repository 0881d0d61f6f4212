"""Static files arrive whole, with the headers that let browsers keep them."""

from django.templatetags.static import static


def test_a_file_arrives_whole_and_is_not_a_stream(client) -> None:
    answer = client.get(static("css/tokens.css"))
    assert answer.status_code == 200
    assert not answer.streaming
    assert answer["Content-Type"].startswith("text/css")
    assert int(answer["Content-Length"]) == len(answer.content) > 0


def test_a_part_of_a_file_can_be_asked_for(client) -> None:
    answer = client.get(static("css/tokens.css"), headers={"Range": "bytes=0-9"})
    assert answer.status_code == 206
    assert len(answer.content) == 10


def test_a_file_that_the_browser_has_is_not_sent_again(client) -> None:
    first = client.get(static("css/tokens.css"))
    again = client.get(
        static("css/tokens.css"), headers={"If-Modified-Since": first["Last-Modified"]}
    )
    assert (again.status_code, again.content) == (304, b"")


def test_only_the_head_of_a_file_can_be_asked_for(client) -> None:
    answer = client.head(static("css/tokens.css"))
    assert (answer.status_code, answer.content) == (200, b"")


def test_a_file_that_is_not_there_is_not_found(client, db) -> None:
    assert client.get("/static/css/nothing.css").status_code == 404


def test_no_path_leads_out_of_the_static_files(client, db) -> None:
    for path in ("/static/../manage.py", "/static/%2e%2e/manage.py", "/static//etc/passwd"):
        assert client.get(path).status_code == 404
