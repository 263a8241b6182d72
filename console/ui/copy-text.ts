/**
 * Puts a text into the clipboard; resolves with whether it is there. `navigator.clipboard` is missing on plain http, which
 * is how this console is opened in most local networks: then the old way is taken, through a selected text field. It
 * stands inside the open dialog where there is one, as focus cannot leave that.
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(text)
      return true
    } catch {
      // Permission was refused, or the window has no focus.
    }
  }
  return copyBySelection(text)
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement
  const home = focused?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.setAttribute('aria-hidden', 'true')
  field.style.position = 'fixed'
  field.style.top = '0'
  field.style.opacity = '0'
  // Sixteen pixels keep phones from zooming in.
  field.style.fontSize = '16px'
  home.append(field)
  field.focus({ preventScroll: true })
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
