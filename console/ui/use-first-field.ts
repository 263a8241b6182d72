import { useRef, type RefObject } from 'react'

const CONTROLS =
  ':is(a[href], button, input, select, textarea, [tabindex]):not(:disabled, [type="hidden"], [tabindex="-1"])'
const FIELDS = ':is(input, select, textarea, [role="combobox"]):not([readonly])'

/**
 * Where the focus goes when a dialog opens: into its form, where it begins with one, so that typing can begin at once; and
 * otherwise to its first control. A touch opens no keyboard. A field with `autoFocus` has it already and keeps it.
 */
export function useFirstField(): {
  readonly popup: RefObject<HTMLDivElement | null>
  /** What stands below the head of the dialog. */
  readonly body: RefObject<HTMLDivElement | null>
  /** What to give to `initialFocus`. */
  firstField(openedBy: string): HTMLElement | true
} {
  const popup = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  return {
    popup,
    body,
    firstField: (openedBy) => (openedBy === 'touch' ? popup.current : fieldIn(body.current)) ?? true,
  }
}

/** The first control, if it is a field; of radio buttons the one that is chosen. */
function fieldIn(body: HTMLElement | null): HTMLElement | null {
  const first = [...(body?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].find((each) => each.checkVisibility())
  if (first === undefined || !first.matches(FIELDS)) return null
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio') return first
  return body?.querySelector<HTMLElement>(`input[name="${CSS.escape(first.name)}"]:checked`) ?? first
}
