import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { unknownTriesQuery } from '../../api/unknown-tries.ts'
import { refusalsDictionary } from '../../dictionaries/refusals.ts'
import { type UnknownTry, UnknownTryText } from '../../faults/unknown-try.tsx'
import { clientName } from '../../format/client-name.ts'
import { Badge } from '../../ui/badge.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'

/**
 * What this address sent without a key of this gateway of late: the list has no record of it. Nothing where there was none.
 * `readAtMs`: when the list was read, so that both are of one time.
 */
export function UnknownTries({ readAtMs }: { readonly readAtMs: number }): ReactNode {
  const t = refusalsDictionary.useTexts().unknown
  const tries = useQuery(unknownTriesQuery(readAtMs)).data ?? []
  if (tries.length === 0) return null
  return (
    <Section title={t.title} lead={t.lead}>
      <ul className="grid gap-4">
        {tries.map((tried) => (
          <li key={tried.id} className="rounded-lg border border-bad bg-bad-soft px-3 py-3">
            <UnknownTryEntry tried={tried} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** One of them, with when it came and from which program. */
export function UnknownTryEntry({ tried }: { readonly tried: UnknownTry }): ReactNode {
  const t = refusalsDictionary.useTexts().unknown
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-2">
        <Badge>{tried.fault}</Badge>
        {tried.client !== null && <Badge>{clientName(tried.client)}</Badge>}
        {tried.count > 1 && <span>{t.count(tried.count)}</span>}
        <span className="ml-auto">
          <RelativeTime time={tried.created_at} isLive />
        </span>
      </div>
      <UnknownTryText tried={tried} keyId={null} />
    </>
  )
}
