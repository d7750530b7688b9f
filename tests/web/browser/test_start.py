"""Starting a debate from the page, in a real browser: the form, its plan, its faults, and what begins."""

import asyncio
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import moot
from moot.engine.staging.plan import Plan
from moot.record.entry import first_data
from moot.record.payloads import Header
from tests.kit.browser import faults_of, fits, kept, opened, settle, unfold
from tests.kit.images import PNG
from tests.kit.players import PLAYER, Player
from tests.kit.servers import Site, elsewhere, serving

pytestmark = pytest.mark.browser
REFUSED = "status of 422"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("runs"), models={PLAYER: Player()}) as served:
        yield served


def calls(page: Page) -> str:
    return page.inner_text("[data-plan=calls]")


def planned(**settings: object) -> Plan:
    return elsewhere(lambda: asyncio.run(moot.plan(moot.configure(**settings))))  # type: ignore[arg-type]


def started(page: Page, site: Site) -> moot.Run:
    return site.host.find(page.url.split("/runs/")[1].split("/")[0].split("?")[0])


def start(page: Page) -> None:
    """Press the button, and wait for what comes then, its scripts included."""
    settle(page)
    with page.expect_navigation():
        page.click("button[value=start]")


def begun(site: Site) -> int:
    """How many debates there are."""
    return len(moot.list_runs(site.host.out))


def test_the_plan_refuses_what_the_debate_refuses_and_has_the_cast_that_speaks(browser: Browser, site: Site) -> None:
    with opened(browser) as page:
        page.goto(f"{site.url}/start")
        unfold(page)
        page.fill("[name=topic]", "Is it so?")
        page.fill("[name=model]", "opnai/x")
        expect(page.locator("[data-fault=model]")).to_contain_text("there is no provider “opnai”")
        page.fill("[name=model]", "openai/gpt-5")
        expect(page.locator("#plan .flag")).to_have_text(
            "It would not start: openai/gpt-5 needs a key. Set OPENAI_API_KEY."
        )
        page.fill("[name=model]", PLAYER)
        expect(page.locator("#plan .flag")).to_have_count(0)
        cast = page.locator("#plan .cast-plan .who").all_inner_texts()
        start(page)
        page.wait_for_url("**/runs/**")
        header = first_data(started(page, site).entries(), Header)
        assert header is not None
        assert [member.name for member in header.cast] == cast


def test_without_scripts_the_button_plans_and_starts(browser: Browser, site: Site) -> None:
    with opened(browser, java_script_enabled=False) as page:
        page.goto(f"{site.url}/start")
        unfold(page)
        page.click("label[for=way-persuasion]")
        page.fill("[name=topic]", "Tea is better than coffee.")
        page.fill("[name='persuasion.rounds']", "1")
        page.fill("[name=model]", PLAYER)
        page.click("button:has-text('Plan it')")
        assert calls(page) == str(planned(protocol="persuasion", topic="Tea is better.", rounds=1).calls)
        assert page.input_value("[name=topic]") == "Tea is better than coffee."
        start(page)
        page.wait_for_url("**/runs/**")
        config = started(page, site).config
        assert (config.protocol.name, getattr(config.debate, "rounds", None)) == ("persuasion", 1)
        assert "Tea is better than coffee." in page.inner_text("h1")


def test_faults_stand_beside_their_field_and_nothing_typed_is_lost(browser: Browser, site: Site) -> None:
    typed = {
        "topic": "Is it so?",
        "duel.turns": "several",
        "duel.role.judge": "gpt-what",
        "max_cost": "-3",
        "duel.claim": "It is.",
    }
    before = begun(site)
    for scripts in (True, False):
        with opened(browser, expected=(REFUSED,), java_script_enabled=scripts) as page:
            page.goto(f"{site.url}/start")
            unfold(page)
            for name, value in typed.items():
                page.fill(f"[name='{name}']", value)
            start(page)
            page.wait_for_selector("[data-fault='duel.turns']:not([hidden])")
            assert "whole number" in page.inner_text("[data-fault='duel.turns']")
            assert "0 or more" in page.inner_text("[data-fault='max_cost']")
            assert {name: page.input_value(f"[name='{name}']") for name in typed} == typed
            page.fill("[name='duel.turns']", "2")
            page.fill("[name='max_cost']", "")
            start(page)
            page.wait_for_selector("[data-fault='duel.role.judge']:not([hidden])")
            assert "needs a provider" in page.inner_text("[data-fault='duel.role.judge']")
            assert page.get_attribute("[name='duel.role.judge']", "aria-invalid") == "true"
    assert begun(site) == before


def test_a_refused_start_is_not_silent(browser: Browser, site: Site) -> None:
    view = {"width": 390, "height": 700}
    with opened(browser, expected=(REFUSED,), viewport=view) as page:
        page.goto(f"{site.url}/start")
        unfold(page)
        page.fill("[name=topic]", "Is it so?")
        page.fill("[name=model]", "openai/gpt-5")
        start(page)
        told = page.locator("#refused")
        expect(told).to_contain_text("It did not start.")
        expect(told).to_contain_text("openai/gpt-5 needs a key. Set OPENAI_API_KEY.")
        expect(told).to_be_focused()
        expect(told).to_be_in_viewport()
        page.wait_for_load_state("networkidle")
        expect(told).to_be_visible()
        assert faults_of(page) == []
        told.locator("a").click()
        expect(page.locator("[name=model]")).to_be_in_viewport()
        page.fill("[name=model]", PLAYER)
        expect(told).to_be_hidden()


def test_nobody_is_told_that_the_question_is_missing_before_they_came_to_it(browser: Browser, site: Site) -> None:
    with opened(browser, expected=(REFUSED,)) as page:
        page.goto(f"{site.url}/start?protocol=council")
        told, field, plan = page.locator("[data-fault=topic]"), page.locator("[name=topic]"), page.locator("#plan")
        with page.expect_response("**/start/plan"):
            page.click("label[for=way-delphi]")
        expect(plan).to_contain_text("Planning is free")
        expect(told).to_be_hidden()
        with page.expect_response("**/start/plan"):
            page.fill("[name='delphi.rounds']", "many")
        expect(page.locator("[data-fault='delphi.rounds']")).to_be_visible()
        expect(told).to_be_hidden()
        field.focus()
        field.blur()
        expect(told).to_have_text("The question is missing.")
        expect(page.get_by_text("The question is missing.").locator("visible=true")).to_have_count(1)
        expect(plan).to_contain_text("Please fix the marked fields")
        expect(field).to_have_attribute("aria-invalid", "true")
        page.reload()
        page.click("label[for=way-council]")
        start(page)
        expect(page.locator("#refused")).to_contain_text("The question is missing.")
        expect(told).to_be_visible()
        with page.expect_response("**/start/plan"):
            page.fill("[name='council.words']", "200")
        expect(told).to_have_text("The question is missing.")


def test_what_was_set_is_what_begins(browser: Browser, site: Site) -> None:
    with opened(browser) as page:
        page.goto(f"{site.url}/start?protocol=arena")
        unfold(page)
        page.fill("[name=topic]", "How do we name it?")
        page.fill("[name='arena.role.Mei']", "fake/of-nobody")
        page.fill("[name='arena.agents']", "2")
        page.select_option("[name='arena.vote']", "borda")
        page.fill("[name='arena.role.Ines']", f"{PLAYER}, fake/one")
        page.fill("[name=model]", "fake/one")
        for name, value in {"max_calls": "500", "max_tokens": "900000", "max_minutes": "30"}.items():
            page.fill(f"[name={name}]", value)
        start(page)
        page.wait_for_url("**/watch")
        config = started(page, site).config
        page.wait_for_selector("#state[data-ended=done]")
    options = config.options
    assert (options.max_calls, options.max_tokens, options.max_minutes) == (500, 900_000, 30)
    assert options.roles == {"Ines": [PLAYER, "fake/one"]}
    assert getattr(config.debate, "vote", None) == "borda"


def test_a_person_is_sent_to_their_seat_and_waited_for(browser: Browser, site: Site) -> None:
    with opened(browser) as page:
        page.goto(f"{site.url}/start?example=import-queue")
        unfold(page)
        page.fill("[name=model]", PLAYER)
        page.fill("[name='panel.role.Critic']", "human/ann")
        start(page)
        page.wait_for_url("**/watch?seat=Critic")
        page.wait_for_selector("form.answer")
        assert getattr(started(page, site).config.debate, "timeout_per_round", 0) == 86_400
        page.click("text=Stop it")
        page.wait_for_selector("text=Stopped")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_it_is_for_everybody(browser: Browser, site: Site, tmp_path: Path, scheme: str, width: int) -> None:
    with opened(
        browser, color_scheme=scheme, reduced_motion="reduce", viewport={"width": width, "height": 900}
    ) as page:
        page.goto(f"{site.url}/start?example=rust")
        unfold(page)
        page.wait_for_selector("[data-plan=calls]")
        assert fits(page)
        assert faults_of(page) == []
        kept(page, f"start-{width}-{scheme}")


def test_files_are_uploaded_listed_removed_and_read_by_everybody(browser: Browser, site: Site, tmp_path: Path) -> None:
    names = {
        "inspection.md": "# Inspection\n\nTwo of nine cables had rusted through.",
        "budget.txt": "It costs 40,000.",
    }
    for name, text in names.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "<b>evil.bin").write_bytes(b"\x00\x01\x02" * 50)
    with opened(browser, expected=(REFUSED,)) as page:
        page.goto(f"{site.url}/start")
        unfold(page)
        page.click("label[for=way-duel]")
        page.fill("[name=topic]", "Should the bridge be closed?")
        page.fill("[name=model]", PLAYER)
        page.set_input_files("#f-files", [tmp_path / name for name in names])
        listed = page.locator(".chosen li")
        expect(listed).to_have_count(2)
        expect(listed.nth(0)).to_contain_text("D1 Inspection (")
        page.set_input_files("#f-files", [tmp_path / "<b>evil.bin"])
        expect(page.locator('[data-fault="documents"]')).to_contain_text("<b>evil.bin: ")
        expect(listed).to_have_count(2)
        page.get_by_role("button", name="Remove Inspection").click()
        expect(listed).to_have_count(1)
        expect(listed.nth(0)).to_contain_text("D1 budget")
        start(page)
        page.wait_for_url("**/runs/**")
        run = started(page, site)
    (given,) = run.config.options.documents
    assert given.text == names["budget.txt"]


def test_an_image_is_uploaded_and_the_plan_says_who_does_not_see_it(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    body = PNG + b"x" * 2_000_000
    (tmp_path / "bridge.png").write_bytes(body)
    sent: list[int] = []
    with opened(browser) as page:
        page.on("request", lambda one: sent.append(len(one.post_data or "")) if "/start/plan" in one.url else None)
        page.goto(f"{site.url}/start")
        unfold(page)
        page.click("label[for=way-duel]")
        page.fill("[name=topic]", "Should the bridge be closed?")
        page.fill("[name=model]", "embedded/smollm2")
        page.set_input_files("#f-files", tmp_path / "bridge.png")
        expect(page.locator(".chosen li")).to_contain_text("D1 bridge.png (image)")
        expect(page.locator("#plan")).to_contain_text("D1 is an image that")
        page.fill("[name=model]", PLAYER)
        expect(page.locator("#plan")).not_to_contain_text("D1 is an image that")
        assert sent and max(sent) < 100_000, "its bytes are sent once, at the start"
        page.set_input_files("#f-files", tmp_path / "bridge.png")
        expect(page.locator('[data-fault="documents"]')).to_contain_text("all images may have 3 MB together")
        expect(page.locator(".chosen li")).to_have_count(1)
        start(page)
        page.wait_for_url("**/runs/**")
        run = started(page, site)
    (given,) = run.config.options.documents
    assert given.sha256 == hashlib.sha256(body).hexdigest()
