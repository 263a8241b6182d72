import type { ReactNode } from 'react'

/** Names and values, two columns where there is room. */
export function DetailList({ rows }: { readonly rows: readonly { label: string; value: ReactNode }[] }): ReactNode {
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[minmax(8rem,auto)_1fr]">
      {rows.map((row) => (
        <div key={row.label} className="sm:contents">
          <dt className="text-sm text-ink-3 sm:leading-5.5">{row.label}</dt>
          <dd className="min-w-0">{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}
