import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unknownTriesQuery } from '../../api/unknown-tries.ts'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { type UnknownTry, UnknownTryText } from '../faults/unknown-try.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { FaultCode } from '../../ui/fault-code.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { useClientNames } from '../client-names.ts'

/**
 * What this address sent without a key of this gateway of late: the list has no record of it. Nothing where there was none.
 * `readAtMs`: when the list was read, so that both are of one time.
 */
export function UnknownTries({ readAtMs }: { readonly readAtMs: number }): ReactNode {
  const t = useTexts('refusals').unknown
  const faults = useTexts('faults')
  const tries = useQuery(unknownTriesQuery(readAtMs)).data ?? []
  if (tries.length === 0) return null
  return (
    <Section title={t.title} lead={t.lead}>
      <div className="grid gap-2">
        {tries.map((tried, index) => (
          <Disclosure
            key={tried.id}
            title={faultTextOf(faults, tried.fault)?.title ?? tried.fault}
            summary={<RelativeTime time={tried.created_at} isLive />}
            // The newest; the others take one line each.
            isOpenAtFirst={index === 0}
          >
            <UnknownTryEntry tried={tried} />
          </Disclosure>
        ))}
      </div>
    </Section>
  )
}

/** One of them, with the program that it came from. */
export function UnknownTryEntry({ tried }: { readonly tried: UnknownTry }): ReactNode {
  const t = useTexts('refusals').unknown
  const client = useClientNames()(tried.client)
  return (
    <UnknownTryText tried={tried} keyId={null}>
      <p className="mt-2 flex flex-wrap items-center gap-1.5 text-sm text-ink-2">
        <FaultCode code={tried.fault} />
        {client !== null && <Badge>{client}</Badge>}
        {tried.count > 1 && t.count(tried.count)}
      </p>
    </UnknownTryText>
  )
}
