import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PATHS } from '../../paths.ts'

/** The name of a key, the end of its secret and its tags, on one line of a table of keys. */
export function KeyName(props: {
  readonly id: string
  readonly name: string
  readonly secret_start: string | null
  readonly secret_end: string | null
  readonly tags: readonly string[]
}): ReactNode {
  const tags = props.tags.join(', ')
  return (
    <span className="flex max-w-full items-baseline gap-1.5">
      <Link
        to={PATHS.key}
        params={{ keyId: props.id }}
        title={props.name}
        className="min-w-0 truncate font-medium text-accent hover:underline"
      >
        {props.name}
      </Link>
      {props.secret_end !== null && (
        <code
          title={`${props.secret_start ?? ''}…${props.secret_end}`}
          className="shrink-0 font-mono text-xs font-normal text-ink-3"
        >
          …{props.secret_end}
        </code>
      )}
      {tags !== '' && (
        // They get what room the name leaves.
        <span title={tags} className="min-w-0 flex-1 basis-0 truncate text-xs font-normal text-ink-3">
          {tags}
        </span>
      )}
    </span>
  )
}
