import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** One of many programs, as a row of chips that wraps. A group of radio buttons for screen readers. */
export function ClientChips(props: {
  readonly label: string
  readonly name: string
  readonly clients: readonly { readonly id: string; readonly name: string; readonly isUnavailable?: boolean }[]
  readonly value: string
  onValue(id: string): void
}): ReactNode {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm text-ink-3">{props.label}</legend>
      <div className="flex flex-wrap gap-1.5">
        {props.clients.map((client) => (
          <label
            key={client.id}
            className={classNames(
              'relative inline-flex min-h-8 touch:min-h-11 items-center rounded-full border border-line bg-surface px-3 transition-colors',
              'hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
              client.isUnavailable === true && 'text-ink-3 line-through decoration-edge',
            )}
          >
            <input
              type="radio"
              name={props.name}
              value={client.id}
              checked={props.value === client.id}
              onChange={() => props.onValue(client.id)}
              className="absolute inset-0 size-full cursor-pointer appearance-none rounded-full outline-none"
            />
            {client.name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
