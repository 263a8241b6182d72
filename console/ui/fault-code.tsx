import type { ReactNode } from 'react'

/** The code of a fault, which leads to its page: the gateway has one for each. */
export function FaultCode({ code }: { readonly code: string }): ReactNode {
  return (
    <a
      href={`/docs/errors/${encodeURIComponent(code)}`}
      target="_blank"
      rel="noreferrer"
      className="font-mono text-accent underline decoration-edge underline-offset-2 hover:decoration-current"
    >
      {code}
    </a>
  )
}
