import { Fragment, type ReactNode } from 'react'
import { atSite } from '../site.ts'

/** The code of a fault, which leads to its page: the gateway has one for each. In a narrow column it wraps between words. */
export function FaultCode({ code }: { readonly code: string }): ReactNode {
  return (
    <a
      href={atSite(`/docs/errors/${encodeURIComponent(code)}`)}
      target="_blank"
      rel="noreferrer"
      className="font-mono break-words text-accent underline decoration-edge underline-offset-2 hover:decoration-current"
    >
      {code.split(/(?<=_)/).map((word, at) => (
        <Fragment key={word}>
          {at > 0 && <wbr />}
          {word}
        </Fragment>
      ))}
    </a>
  )
}
