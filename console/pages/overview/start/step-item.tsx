import type { ReactNode, RefObject } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'

/** `next`: it can be read already, but it is not its turn. `later`: only what it is about is said. */
export type StepState = 'done' | 'now' | 'next' | 'later'

/** One of the five steps, on a line that runs through them. */
export function StepItem(props: {
  readonly number: number
  readonly title: string
  readonly state: StepState
  /** What it is about, while its turn has not come. */
  readonly later?: string
  readonly isLast?: boolean
  /** Lets its title take the focus. */
  readonly head?: RefObject<HTMLHeadingElement | null>
  readonly children?: ReactNode
}): ReactNode {
  const t = useTexts('start')
  const { state } = props
  return (
    <li
      aria-current={state === 'now' ? 'step' : undefined}
      className="relative grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3 pb-6 last:pb-0"
    >
      {props.isLast !== true && (
        <span
          aria-hidden="true"
          className={classNames(
            'absolute top-7 bottom-0 left-3.5 w-px -translate-x-1/2',
            state === 'done' ? 'bg-accent' : 'bg-line',
          )}
        />
      )}
      <span
        aria-hidden="true"
        className={classNames(
          'relative flex size-7 items-center justify-center rounded-full border text-sm font-medium',
          state === 'done' && 'border-accent bg-accent text-accent-ink',
          state === 'now' && 'border-accent bg-accent-soft text-accent',
          (state === 'next' || state === 'later') && 'border-line bg-surface text-ink-3',
        )}
      >
        {state === 'done' ? <Icon name="check" /> : props.number}
      </span>
      <div className="min-w-0">
        <h2
          ref={props.head}
          tabIndex={props.head === undefined ? undefined : -1}
          className={classNames(
            'min-h-7 scroll-mt-20 content-center text-base outline-none',
            state === 'later' && 'font-normal text-ink-2',
          )}
        >
          {props.title}
          {state === 'done' && <span className="sr-only"> ({t.done})</span>}
        </h2>
        {state === 'later' && props.later !== undefined ? (
          <p className="text-sm text-ink-3">{props.later}</p>
        ) : (
          props.children !== undefined && <div className="mt-2">{props.children}</div>
        )}
      </div>
    </li>
  )
}
