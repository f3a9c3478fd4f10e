#!/usr/bin/python3
"""Whether a page is as it should be in Chromium:

    page.py PAGE.html DATA.json AXE.js|- [FOLDER]

No error is logged, its figures are those of DATA.json, each control works and can be
reached by keyboard, nothing is wider than the window, and axe-core finds no violation, in
light and dark, on 1280 and 390 pixels ("-": it is not there). With FOLDER, pictures of it are left there, and
the printed page. Prints what is wrong, a line each; exit status 1: something is.
"""
import base64
import json
import os
import sys

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

wrong = []


def browser():
    options = webdriver.ChromeOptions()
    for word in "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars":
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def numbers_of(value):
    """All numbers in an object, and of its tables (lists of objects)."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return []
    if isinstance(value, (int, float)):
        return [value]
    members = value.values() if isinstance(value, dict) else value
    return [number for member in members for number in numbers_of(member)]


def plots_of(value):
    if isinstance(value, dict) and isinstance(value.get("panels"), list):
        return [value]
    members = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [plot for member in members for plot in plots_of(member)]


def tables_of(value):
    """All lists of objects, also in each other, but for what is in diagrams."""
    if isinstance(value, dict):
        if isinstance(value.get("panels"), list):
            return []
        return [table for member in value.values() for table in tables_of(member)]
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return []
    return [value] + [table for row in value for table in tables_of(row)]


def near(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-6 * max(abs(a), abs(b))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(near, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(near(a[key], b[key]) for key in a)
    return a == b


def compare(driver, data):
    """Figures of the page with those of the data, section by section."""
    sections = []
    for value in data.values():
        if isinstance(value, dict):
            sections.append(value)
        elif isinstance(value, list):
            sections += value
    shown = driver.execute_script("""
        return [...document.querySelectorAll("section")].map((section) => ({
          values: [...section.querySelectorAll("data")].map((data) => Number(data.value)),
          tables: [...section.querySelectorAll("tbody")].map((body) => body.children.length),
          plots: [...section.querySelectorAll("figure > script")].map(
            (script) => JSON.parse(script.textContent)),
        }));""")
    if len(shown) != len(sections):
        wrong.append(f"{len(shown)} sections instead of {len(sections)}")
    values = 0
    for here, there in zip(shown, sections):
        known = {f"{number:.12g}" for number in numbers_of(there)}
        if plots_of(there):
            if not near(here["plots"], plots_of(there)):
                wrong.append("a diagram is not that of the data")
        else:  # it was made of the data on the page
            axis = [x for plot in here["plots"] for series in plot["panels"][0]["series"]
                    for x in series["x"]]
            if any(f"{x:.12g}" not in known for x in axis):
                wrong.append("a diagram has points that the data does not have")
        unknown = [value for value in here["values"] if f"{value:.12g}" not in known]
        if unknown:
            wrong.append(f"figures that the data does not have: {unknown[:5]}")
        if any(rows not in map(len, tables_of(there)) for rows in here["tables"]):
            wrong.append(f"{here['tables']} rows in {list(there)}")
        for key, value in there.items():
            if isinstance(value, list) and tables_of(value) and len(value) not in here["tables"]:
                wrong.append(f"'{key}' is not shown whole")
        values += len(here["values"])
    return values


def drawn(driver):
    """What is on the canvases."""
    return driver.execute_script("""
        return [...document.querySelectorAll("figure canvas")].map((c) => c.toDataURL());""")


def use_controls(driver):
    for select in driver.find_elements(By.TAG_NAME, "select"):
        options = select.find_elements(By.TAG_NAME, "option")
        for option in options:
            option.click()
            shown = driver.find_elements(By.CSS_SELECTOR, "section[data-size]:not([hidden])")
            if [s.get_attribute("data-size") for s in shown] != [option.text]:
                wrong.append(f"size {option.text} does not show its section")
    for box in driver.find_elements(By.CSS_SELECTOR, "input[type=checkbox]"):
        if not box.is_displayed():
            continue
        before = drawn(driver)
        box.click()
        if drawn(driver) == before:
            wrong.append("hiding a series changes nothing")
        box.click()
        if drawn(driver) != before:
            wrong.append("showing a series again does not bring it back")
    for summary in driver.find_elements(By.TAG_NAME, "summary"):
        if summary.is_displayed():
            summary.click()
    for button in driver.find_elements(By.TAG_NAME, "button"):
        if button.is_displayed():
            before = button.text
            button.click()
            try:
                WebDriverWait(driver, 10).until(lambda _: button.text != before)
            except TimeoutException:
                wrong.append("a button to copy says nothing")
    for plot in driver.find_elements(By.CSS_SELECTOR, "figure .u-over"):
        if plot.is_displayed():
            webdriver.ActionChains(driver).move_to_element(plot).perform()


def reach_by_keyboard(driver):
    wanted = driver.execute_script("""
        return [...document.querySelectorAll("select, input, summary, button")]
          .filter((e) => e.checkVisibility()).length;""")
    driver.execute_script("document.activeElement.blur(); scrollTo(0, 0);")
    reached = set()
    for _ in range(4 * wanted + 40):
        webdriver.ActionChains(driver).send_keys(Keys.TAB).perform()
        element = driver.switch_to.active_element
        if element.tag_name in ("select", "input", "summary", "button"):
            reached.add(element.id)
        if len(reached) == wanted:
            return
    wrong.append(f"by keyboard {len(reached)} of {wanted} controls are reached")


def look(driver, axe, name, width, scheme, folder):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    driver.execute_async_script("""
        const done = arguments[0];
        requestAnimationFrame(() => requestAnimationFrame(done));""")
    overflow = driver.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth;")
    if overflow > 0:
        wrong.append(f"{overflow} pixels too wide for {width}")
    if axe:
        find_violations(driver, axe, name)
    if folder:
        picture = driver.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True, "format": "png"})
        with open(os.path.join(folder, name + ".png"), "wb") as file:
            file.write(base64.b64decode(picture["data"]))


def find_violations(driver, axe, name):
    driver.execute_script(axe)
    found = driver.execute_async_script(
        "axe.run(document).then(arguments[arguments.length - 1]);")
    for violation in found["violations"]:
        wrong.append(f"axe, {name}: {violation['id']}: {violation['help']}: "
                     f"{violation['nodes'][0]['html'][:120]}")


def main():
    page, data, axe = sys.argv[1:4]
    folder = sys.argv[4] if len(sys.argv) > 4 else None
    with open(data, encoding="utf-8") as file:
        data = json.load(file)
    if axe == "-":
        axe = None
    else:
        with open(axe, encoding="utf-8") as file:
            axe = file.read()
    driver = browser()
    try:
        driver.get("file://" + os.path.abspath(page))
        figures = compare(driver, data)
        for width in 1280, 390:
            for scheme in "light", "dark":
                look(driver, axe, f"{scheme}-{width}", width, scheme, folder)
        if folder:
            with open(os.path.join(folder, "print.pdf"), "wb") as file:
                file.write(base64.b64decode(driver.print_page()))
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        reach_by_keyboard(driver)
        use_controls(driver)
        milliseconds = driver.execute_script(
            "return performance.getEntriesByType('navigation')[0].loadEventEnd;")
        for entry in driver.get_log("browser"):
            wrong.append("logged: " + entry["message"])
    finally:
        driver.quit()
    print(f"{figures} figures, ready after {milliseconds:.0f} ms")
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


main()
