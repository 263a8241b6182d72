import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { TAB_ROW, tabClass, useTabRow } from './tab-row.ts'

export interface Tab<Value extends string> {
  readonly value: Value
  readonly label: ReactNode
}

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
  const row = useTabRow(props.value, list)
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
      <div ref={row} role="tablist" aria-label={props.label} onKeyDown={move} className={TAB_ROW}>
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
              className={tabClass(isHere)}
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
