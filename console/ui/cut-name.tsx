import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** What differs between names of one family mostly stands at their end. */
const TAIL = 10
/** Shorter ones fit wherever names stand. */
const SHORT = 24

/** A name of any length on one line: a long one is cut in its middle, and whole for the pointer and for screen readers. */
export function CutName({ text, className }: { readonly text: string; readonly className?: string }): ReactNode {
  if (text.length <= SHORT) return <span className={classNames('whitespace-nowrap', className)}>{text}</span>
  return (
    <span title={text} className={classNames('inline-block min-w-0 align-bottom', className)}>
      <span className="sr-only">{text}</span>
      <span aria-hidden="true" className="flex whitespace-pre select-none">
        <span className="min-w-0 flex-1 truncate">{text.slice(0, -TAIL)}</span>
        <span className="shrink-0">{text.slice(-TAIL)}</span>
      </span>
    </span>
  )
}
