import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A line of text. In a form it stands inside a `Field`, which gives it its name and its error. */
export function Input({ className, ...rest }: ComponentProps<'input'>): ReactNode {
  return <input autoComplete="off" {...rest} className={classNames('control', className)} />
}

/** Several lines of text. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>): ReactNode {
  return <textarea rows={3} {...rest} className={classNames('control block resize-y', className)} />
}
