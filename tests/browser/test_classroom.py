"""A class in Chromium: nothing moves under the teacher's hand when the first student joins; a phone has it in reach."""

from tests.browser.conftest import expect, press, settle
from tests.waiting import wait_for


def lead(page, address):
    """Open a class; gives the link for students."""
    page.goto(f"{address}/class?dataset=synthetic&class=relevant")
    link = page.locator("[data-testid=stCode] code", has_text="http")
    press(page, "Open a class", page.locator(".ltw-join"))  # on a phone the link is not seen at first
    settle(page)
    return link.inner_text()


def join(page, link):
    page.goto(link)
    press(page, "Take part", page.get_by_text("The teacher leads"))


def top(locator):
    return locator.bounding_box()["y"]


def test_the_guesses_stay_where_they_are_when_the_first_student_joins_and_a_phone_shows_what_is_said_of_its_guess(
    reader, address
):
    page, student, phone = reader(1440, 900), reader(1440, 900), reader(390, 844, touch=True)
    link = lead(page, address)
    guesses, code = page.locator(".st-key-live"), page.locator(".ltw-join")
    before, place = top(guesses), code.bounding_box()["x"]
    expect(page.get_by_role("radio", name="2 Your hand on the weights")).to_be_visible()
    screen = page.get_by_role("link", name="Open the big screen")
    expect(screen).to_have_attribute("data-testid", "stBaseLinkButton-secondary")
    expect(page.get_by_role("button", name="Show the answer")).to_have_attribute("data-testid", "stBaseButton-primary")
    student.goto(screen.get_attribute("href"))
    shown = student.locator(".ltw-code")
    for width in (1440, 800):  # the widest of codes is read whole
        student.set_viewport_size({"width": width, "height": 900})
        expect(shown).to_be_visible()
        assert shown.evaluate("node => { node.textContent = 'WWW MMM'; return node.scrollWidth <= node.clientWidth; }")
    student.set_viewport_size({"width": 1440, "height": 900})
    student.goto(link)
    expect(student.get_by_role("button", name="Take part")).to_be_visible()
    expect(student.locator(".st-key-the_dataset")).to_be_hidden()  # the class has documents of its own
    join(student, link)
    expect(page.locator(".st-key-class_folded")).to_be_visible()
    settle(page)
    assert top(guesses) == before and abs(code.bounding_box()["x"] - place) < 80
    join(phone, link)
    phone.locator("[data-testid=stRadioOption]", has_text="pos001").tap()
    settle(phone)
    phone.get_by_role("button", name="Guess", exact=True).tap()
    expect(phone.get_by_text("Your guess is in.")).to_be_in_viewport()
    # the question far down, and the page as it is while it still follows what was said of the guess
    phone.evaluate("""async () => {
      const held = window.__ltwLessonHeld;
      held.over = true;
      await new Promise(requestAnimationFrame);
      const box = document.querySelector('[class*="st-key-lesson-"][class*="-box"]:has([data-testid=stAlert])');
      document.querySelector('[data-testid=stMain]').scrollTop -= 600 - box.getBoundingClientRect().top;
      window.__ltwLessonHeld = { ...held, over: false };
    }""")
    show, following = (page.get_by_role("button", name=name) for name in ("Show the answer to everyone", "Next step"))
    place = show.bounding_box()
    show.dblclick()  # the second click does not move everyone on
    expect(following).to_be_visible()
    settle(page)
    assert {name: following.bounding_box()[name] for name in "xy"} == {name: place[name] for name in "xy"}
    assert place["y"] < 800
    right = page.locator(".ltw-tally .row.right")
    expect(right.locator(".bar")).to_have_css("background-color", "rgb(8, 120, 111)")
    said = phone.locator('[class*="-box"] [data-testid=stAlert]', has_text="Right")
    expect(said).to_be_in_viewport(ratio=1)
    settle(phone)
    phone.wait_for_timeout(1000)
    expect(said).to_be_in_viewport(ratio=1)
    following.click()
    expect(student.get_by_text("Step 2 of")).to_be_visible()
    drawn = student.locator(".st-key-lesson-step .ltw-plot .annotation-text")
    expect(drawn).to_have_count(8)
    before = drawn.all_text_contents()
    student.get_by_role("slider").first.focus()
    student.keyboard.press("ArrowRight")
    wait_for(lambda: drawn.all_text_contents() != before, every=0.1)


def test_on_a_phone_how_to_join_is_above_the_guesses_and_small_once_someone_has(reader, address):
    page, student = reader(390, 844, touch=True), reader(390, 844, touch=True)
    link = lead(page, address)
    wide = page.locator(".st-key-class_invite").bounding_box()
    assert wide["y"] < top(page.get_by_text("Step", exact=True).first)
    join(student, link)
    folded = page.locator(".st-key-class_folded")
    expect(folded).to_be_visible()
    settle(page)
    assert folded.bounding_box()["height"] < 130 < wide["height"] < 170
    page.get_by_role("button", name="I have it").click()
    expect(page.locator(".st-key-class_phrase")).to_have_count(0)
    settle(page)
    steps = page.locator('[class*="st-key-class-steps-"]')  # how many are at which: below what is asked
    expect(steps).to_be_visible()
    guesses = page.locator(".st-key-live")
    assert top(page.get_by_text("connected")) < top(guesses) < 700 and top(guesses) < top(steps)


def test_on_a_narrow_page_with_its_menu_open_the_phrase_is_read_and_the_question_is_near(reader, address):
    page = reader(800, 1000)
    lead(page, address)
    page.get_by_test_id("stExpandSidebarButton").click()
    noted = page.get_by_role("button", name="I have it")
    phrase = page.locator(".st-key-class_phrase")
    expect(noted).to_be_visible()
    page.wait_for_function("() => document.querySelector('.st-key-class_phrase').getBoundingClientRect().x > 250")
    within, button = phrase.bounding_box(), noted.bounding_box()
    assert within["height"] < 200 and button["x"] + button["width"] < within["x"] + within["width"]
    noted.click()
    expect(page.locator(".st-key-class_folded")).to_be_visible()
    settle(page)
    assert top(page.locator(".st-key-live")) < 600
