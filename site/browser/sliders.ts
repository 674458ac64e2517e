/** The number of a slider; that of one with `data-power` is ten to its power. */
function numberOf(slider: HTMLInputElement): number {
  const value = Number(slider.value);
  return slider.dataset.power === undefined ? value : Number((10 ** value).toPrecision(2));
}

/** Calls `draw` with the numbers of all sliders of the page, by their ids, now and whenever one is moved. */
export function drawWithSliders(draw: (numbers: Readonly<Record<string, number>>) => void): void {
  const sliders = [...document.querySelectorAll<HTMLInputElement>("input[type=range]")];
  let waiting = false;
  const drawNow = (): void => {
    waiting = false;
    draw(Object.fromEntries(sliders.map((slider) => [slider.id, numberOf(slider)])));
  };
  for (const slider of sliders) {
    const shown = document.querySelector<HTMLOutputElement>(`output[for=${slider.id}]`)!;
    const show = (): void => {
      shown.value = numberOf(slider).toLocaleString("en", { maximumSignificantDigits: 3 });
      slider.setAttribute("aria-valuetext", shown.value);
    };
    slider.addEventListener("input", () => {
      show();
      // Once a frame, however fast the slider is.
      if (!waiting) requestAnimationFrame(drawNow);
      waiting = true;
    });
    show();
  }
  drawNow();
}

/** Says something in an element of the page. */
export function say(id: string, text: string): void {
  document.getElementById(id)!.textContent = text;
}

/** A share as a reader says it. */
export function percent(share: number): string {
  return `${(100 * share).toLocaleString("en", { maximumSignificantDigits: 3 })}%`;
}
