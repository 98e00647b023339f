"use strict";
// Draws the figures, links the run that a reader chooses across the figures of a collection, and
// lets leaderboards be sorted and filtered. Without it the page has the same tables.
(() => {
  const views = new Map(); // section of a collection -> views of its figures
  const widthOfPaper = 690; // pixels between the margins of A4
  const sizeBesideRuns = [330, 150]; // pixels: on paper, a figure stands beside the first ten runs
  const widthOfLegendEntry = 220; // pixels of a long name

  function draw(holder) {
    const section = holder.closest("[data-collection]");
    const specification = JSON.parse(document.getElementById(holder.dataset.specification).textContent);
    const width = Math.min(holder.clientWidth, widthOfPaper);
    const columns = Math.max(1, Math.floor(width / widthOfLegendEntry));
    const direction = columns === 1 ? "vertical" : "horizontal"; // of two legends
    Object.assign(specification.config.legend, { columns, layout: { top: { direction } } });
    const options = { ast: true, actions: false, renderer: "svg", tooltip: { theme: "custom" } };
    return window.vegaEmbed(holder, specification, options).then(({ view }) => {
      views.set(section, [...(views.get(section) || []), view]);
      view.addEventListener("click", (_event, item) => {
        choose(section, item && item.datum && item.datum.run_id ? item.datum.run_id : "");
      });
      printable(view, holder);
    });
  }

  function excused(holder) {
    holder.textContent = "The figure needs the file vega.js, which was written beside this page.";
  }

  function printable(view, holder) {
    let size;
    const resize = ([width, height]) => view.width(width).height(height).runAsync();
    window.addEventListener("beforeprint", () => {
      size = [view.width(), view.height()];
      resize(holder.closest(".front") ? sizeBesideRuns : [widthOfPaper, view.height()]);
    });
    window.addEventListener("afterprint", () => resize(size));
  }

  function choose(section, run) {
    const isSame = section.dataset.run === run;
    section.dataset.run = isSame ? "" : run;
    for (const view of views.get(section) || []) {
      if ("chosen_run" in view.getState().signals) {
        view.signal("chosen_run", section.dataset.run).runAsync();
      }
    }
    for (const button of section.querySelectorAll("button[data-run-id]")) {
      const isChosen = section.dataset.run !== "" && button.dataset.runId === section.dataset.run;
      button.setAttribute("aria-pressed", String(isChosen));
      button.closest("tr").classList.toggle("chosen", isChosen);
    }
  }

  function sortable(table) {
    const body = table.tBodies[0];
    for (const button of table.querySelectorAll("thead button")) {
      button.addEventListener("click", () => {
        const header = button.closest("th");
        const isUp = header.getAttribute("aria-sort") === "descending";
        const sign = isUp ? 1 : -1;
        const value = (row) => row.cells[header.cellIndex].textContent;
        const isNumber = header.classList.contains("number");
        const order = (a, b) => {
          const [first, second] = [value(a), value(b)];
          if (first === "" || second === "") return (first === "") - (second === "");
          return sign * (isNumber ? parseFloat(first) - parseFloat(second) : first.localeCompare(second));
        };
        const rows = [...body.rows].sort(order);
        for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
        header.setAttribute("aria-sort", isUp ? "ascending" : "descending");
        body.append(...rows);
      });
    }
  }

  // On a narrow screen the heading stands above each value (report.css).
  function labelled(table) {
    const headings = [...table.tHead.rows[0].cells].map((header) => header.textContent);
    for (const row of table.tBodies[0].rows) {
      for (const cell of row.cells) cell.dataset.label = headings[cell.cellIndex];
    }
  }

  function filterable(input) {
    const rows = [...document.getElementById(input.getAttribute("aria-controls")).tBodies[0].rows];
    const count = document.getElementById(input.dataset.count);
    input.addEventListener("input", () => {
      const text = input.value.trim().toLowerCase();
      for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(text);
      const shown = rows.filter((row) => !row.hidden).length;
      count.textContent = `${shown} of ${rows.length} runs`;
    });
  }

  document.documentElement.classList.add("has-script");
  for (const table of document.querySelectorAll("table")) labelled(table);
  for (const table of document.querySelectorAll("table.sortable")) sortable(table);
  for (const input of document.querySelectorAll("input[data-count]")) filterable(input);
  for (const button of document.querySelectorAll("button[data-run-id]")) {
    button.addEventListener("click", () => {
      choose(button.closest("[data-collection]"), button.dataset.runId);
    });
  }
  const drawings = [...document.querySelectorAll("[data-specification]")].map(window.vegaEmbed ? draw : excused);
  Promise.all(drawings).then(() => {
    document.documentElement.dataset.drawn = String(drawings.length);
  });
})();
