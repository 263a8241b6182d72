import type { ReactNode } from 'react'
import type { DeviceRequestView } from '../../../src/contract/devices.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'

/** The program that asks: what it says of itself, and where it stands. Its code is large, to be compared. */
export function WhoAsks(props: { readonly request: DeviceRequestView; readonly isCodeShown: boolean }): ReactNode {
  const t = useTexts('devices').request
  const shared = useSharedTexts()
  const { request } = props
  const said = (text: string) => (text === '' ? <span className="text-ink-3">{t.notSaid}</span> : text)
  return (
    <Section title={t.who}>
      <div className="grid grid-cols-1 gap-4">
        {props.isCodeShown && (
          <div>
            <p className="text-sm text-ink-3">{t.code}</p>
            <p className="font-mono text-3xl font-medium tracking-widest select-all">{request.code}</p>
            <p className="mt-1 text-ink-2">{t.compare}</p>
          </div>
        )}
        <DetailList
          rows={[
            { label: shared.inBrackets(t.client, t.asItSays), value: <Said>{said(request.client)}</Said> },
            { label: shared.inBrackets(t.machine, t.asItSays), value: <Said>{said(request.machine)}</Said> },
            {
              label: t.from,
              value: (
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span className="font-mono break-all">{request.asked_from}</span>
                  <Badge tone={request.same_network ? 'good' : 'warn'} hasDot>
                    {request.same_network ? t.sameNetwork : t.otherNetwork}
                  </Badge>
                </span>
              ),
            },
            { label: t.when, value: <RelativeTime time={request.asked_at} isLive /> },
          ]}
        />
      </div>
    </Section>
  )
}

function Said({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="font-medium [overflow-wrap:anywhere]">{children}</span>
}
