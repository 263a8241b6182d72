/**
 * What `react-dom` is in the built console, by the aliases of `vite-config.ts`: Preact, which draws in React's order. Sources
 * import `react` and `react-dom`, and have their types (decision 0162).
 */
import { render, type ComponentChild } from 'preact'
import { endEndlessDrawing } from './endless-drawing.ts'
import { giveAutoFocus } from './auto-focus.ts'
import { keepRenderOrder, whileDrawing } from './render-order.ts'

export { createPortal } from 'preact/compat'
export { drawAtOnce as flushSync } from './render-order.ts'

/** Draws into an element, in the place of all that is in it. */
export function createRoot(element: HTMLElement): { render(node: ComponentChild): void } {
  keepRenderOrder()
  endEndlessDrawing()
  giveAutoFocus()
  element.textContent = ''
  return {
    render: (node) => whileDrawing(() => render(node, element)),
  }
}
