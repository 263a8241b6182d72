import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad'

const TONES: Readonly<Record<Tone, string>> = {
  neutral: 'bg-chip text-ink-2',
  accent: 'bg-accent-soft text-accent',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
}

/** A short state. `hasDot` for states that something is in; without it for properties. */
export function Badge(props: {
  readonly tone?: Tone
  readonly hasDot?: boolean
  readonly children: ReactNode
}): ReactNode {
  return (
    <span
      className={classNames(
        'inline-flex max-w-full items-center align-middle gap-1.5 rounded-sm px-1.5 py-px text-xs font-medium whitespace-nowrap',
        // Seen with forced colours alone, which take the ground away.
        '-outline-offset-1 outline outline-transparent',
        TONES[props.tone ?? 'neutral'],
      )}
    >
      {props.hasDot === true && (
        <span aria-hidden="true" className="size-1.5 rounded-full bg-current forced-color-adjust-none" />
      )}
      <span className="min-w-0 truncate">{props.children}</span>
    </span>
  )
}
