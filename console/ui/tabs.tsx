import { useCallback, useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { useHiddenEdges } from './use-hidden-edges.ts'

export interface Tab<Value extends string> {
  readonly value: Value
  readonly label: ReactNode
}

/** The width in which the row fades where it goes on. */
const FADE_PX = 32

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/**
 * Several views of one thing, one at a time. Arrow keys move along the tabs and open what they reach. On a narrow screen
 * the row scrolls, the page does not; it fades where it goes on.
 */
export function Tabs<Value extends string>(props: {
  readonly label: string
  readonly tabs: readonly Tab<Value>[]
  readonly value: Value
  onValue(value: Value): void
  readonly children: ReactNode
}): ReactNode {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const watchEdges = useHiddenEdges()
  const watch = useCallback(
    (element: HTMLDivElement | null) => {
      list.current = element
      return watchEdges(element)
    },
    [watchEdges],
  )
  useEffect(() => {
    // Along the row alone: `scrollIntoView` would move the page or the dialog around it, too.
    const row = list.current
    const tab = row?.querySelector('[aria-selected="true"]')?.getBoundingClientRect()
    const frame = row?.getBoundingClientRect()
    if (row == null || tab === undefined || frame === undefined) return
    const [left, right] = [frame.left + FADE_PX, frame.right - FADE_PX]
    if (tab.left < left) row.scrollLeft -= left - tab.left
    else if (tab.right > right) row.scrollLeft += tab.right - right
  }, [props.value])
  const move = (event: KeyboardEvent): void => {
    const here = props.tabs.findIndex((tab) => tab.value === props.value)
    const last = props.tabs.length - 1
    const step = STEPS[event.key]
    const there =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? last
          : step === undefined
            ? -1
            : (here + step + last + 1) % (last + 1)
    const next = props.tabs[there]
    if (next === undefined) return
    event.preventDefault()
    props.onValue(next.value)
    list.current?.querySelectorAll('button')[there]?.focus()
  }
  return (
    <>
      <div
        ref={watch}
        role="tablist"
        aria-label={props.label}
        onKeyDown={move}
        className="flex overflow-x-auto overflow-y-hidden border-b border-line fading-row [scrollbar-width:none]"
      >
        {props.tabs.map((tab) => {
          const isHere = tab.value === props.value
          return (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={isHere}
              aria-controls={isHere ? `${id}-content` : undefined}
              tabIndex={isHere ? 0 : -1}
              onClick={() => props.onValue(tab.value)}
              className={classNames(
                '-mb-px min-h-9 touch:min-h-11 shrink-0 border-b-2 px-3 font-medium whitespace-nowrap outline-offset-[-3px]',
                isHere
                  ? 'border-accent text-ink forced-colors:border-[Highlight]'
                  : 'border-transparent text-ink-2 hover:text-ink forced-colors:border-[Canvas]',
              )}
            >
              {tab.label}
            </button>
          )
        })}
      </div>
      <div role="tabpanel" id={`${id}-content`} aria-labelledby={`${id}-${props.value}`} className="pt-4">
        {props.children}
      </div>
    </>
  )
}
