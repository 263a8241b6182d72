const HOMES = '[role="dialog"], [role="alertdialog"], main, aside, header'

/**
 * Where something that floats belongs in the document: beside what opened it, so that it stands in a part of the page that
 * has a name, and inside the dialog that is open, so that focus can reach it.
 */
export function landmarkOf(element: Element | null): HTMLElement {
  const home = element?.closest(HOMES)
  return home instanceof HTMLElement ? home : document.body
}
