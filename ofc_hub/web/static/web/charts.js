// Draws the figures that the server made. Colours of paper, ink and grid come from the page, so that a chart
// follows the light or dark scheme; the colours of the data are the server's.
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const settings = { displayModeBar: false, responsive: true };

function tone(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axis(given) {
  const title = { ...given.title, font: { size: 13, color: tone("--quiet") } };
  return { ...given, title, gridcolor: tone("--line"), zerolinecolor: tone("--quiet"), linecolor: tone("--line"), automargin: true };
}

function layout(given) {
  const styled = {
    ...given,
    title: undefined, // the page's own heading says what the chart shows, and n
    separators: given.separators ?? ".\u202f",
    margin: { l: 48, r: 12, t: 12, b: 40 },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { ...given.font, color: tone("--ink"), family: getComputedStyle(document.body).fontFamily, size: 13 },
    hoverlabel: { bgcolor: tone("--raised"), bordercolor: tone("--line"), font: { color: tone("--ink") } },
  };
  for (const key of Object.keys(given)) if (/^[xy]axis\d*$/.test(key)) styled[key] = axis(given[key]);
  return styled;
}

async function draw(place) {
  const answer = await fetch(place.dataset.figure, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const figure = await answer.json();
  const paint = () => Plotly.react(place, figure.data, layout(figure.layout ?? {}), settings);
  place.replaceChildren();
  await paint();
  place.dataset.drawn = "true";
  dark.addEventListener("change", paint);
}

for (const place of document.querySelectorAll("[data-figure]")) {
  draw(place).catch(() => {
    place.textContent = place.dataset.failed;
  });
}
