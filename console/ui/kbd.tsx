import type { ReactNode } from 'react'

/** A key of the keyboard. */
export function Kbd({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <kbd className="inline-flex min-w-5 items-center justify-center rounded-sm border border-line bg-sunken px-1 font-sans text-xs text-ink-2">
      {children}
    </kbd>
  )
}
