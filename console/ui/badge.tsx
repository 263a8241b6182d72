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

/** The dot of a state that is as it should be: words in the colour of the text, and nothing behind them. */
const QUIET: Readonly<Partial<Record<Tone, string>>> = { neutral: 'text-ink-3', good: 'text-good' }

/**
 * A short state. `hasDot` for states that something is in; without it for properties. Only a state that wants attention is
 * filled: where all is well, nothing calls.
 */
export function Badge(props: {
  readonly tone?: Tone
  readonly hasDot?: boolean
  readonly children: ReactNode
}): ReactNode {
  const tone = props.tone ?? 'neutral'
  const quiet = props.hasDot === true ? QUIET[tone] : undefined
  return (
    <span
      className={classNames(
        'inline-flex max-w-full items-center align-middle gap-1.5 rounded-sm py-px text-xs font-medium whitespace-nowrap',
        quiet === undefined ? `px-1.5 ${TONES[tone]}` : 'text-ink-2',
        // Seen with forced colours alone, which take the ground away.
        '-outline-offset-1 outline outline-transparent',
      )}
    >
      {props.hasDot === true && (
        <span
          aria-hidden="true"
          className={classNames('size-1.5 rounded-full bg-current forced-color-adjust-none', quiet)}
        />
      )}
      <span className="min-w-0 truncate">{props.children}</span>
    </span>
  )
}
