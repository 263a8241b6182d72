import { useId, type ReactNode } from 'react'

/** A part of a record with its name. */
export function RecordPart({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-2 border-b border-line pb-1">
        {title}
      </h3>
      {children}
    </section>
  )
}
