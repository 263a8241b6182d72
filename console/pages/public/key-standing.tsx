import { useEffect, useRef, type ReactNode } from 'react'
import type { KeyChecked } from '../../../src/contract/public-pages.ts'
import { Sparkline } from '../../chart/sparkline.tsx'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useNow } from '../../ui/use-now.ts'
import { LimitBars } from '../key/limit-bars.tsx'

const TONES: Readonly<Record<KeyChecked['status'], Tone>> = {
  active: 'good',
  disabled: 'neutral',
  expired: 'bad',
  quota_exhausted: 'warn',
}

/** What is read of a key. `onClose` forgets it. */
export function KeyStanding(props: { readonly checked: KeyChecked; onClose(): void }): ReactNode {
  const t = useTexts('public').check
  const keys = useTexts('keys')
  const format = useFormat()
  const nowMs = useNow()
  const { checked } = props
  const close = useRef<HTMLDivElement>(null)
  // The form with the focus is gone: what came of it is read from here.
  useEffect(() => {
    close.current?.focus()
  }, [])
  const figures = ({ cost, requests }: KeyChecked['today']) =>
    t.figures(format.money(cost), t.requests(requests, format.number(requests)))
  return (
    <div ref={close} tabIndex={-1} className="grid gap-6 outline-none">
      <Section
        title={checked.name}
        actions={
          <Button icon="close" onClick={props.onClose}>
            {t.another}
          </Button>
        }
      >
        <div className="grid gap-4">
          <Verdict checked={checked} />
          <DetailList
            rows={[
              {
                label: keys.columns.status,
                value: (
                  <Badge tone={TONES[checked.status]} hasDot>
                    {keys.statuses[checked.status]}
                  </Badge>
                ),
              },
              {
                label: t.expires,
                value: checked.expires_at === null ? t.never : format.time(checked.expires_at),
              },
              { label: t.today, value: figures(checked.today) },
              { label: t.ever, value: figures(checked.ever) },
              {
                label: t.days,
                value:
                  checked.days.length === 0 ? (
                    '–'
                  ) : (
                    <Sparkline
                      days={checked.days}
                      count={30}
                      until={nowMs}
                      label={t.days}
                      className="h-8 w-full max-w-80"
                    />
                  ),
              },
            ]}
          />
        </div>
      </Section>
      <Section title={t.limits}>
        <LimitBars limits={checked.limits} pace={null} />
      </Section>
    </div>
  )
}

function Verdict({ checked: { fault, models } }: { readonly checked: KeyChecked }): ReactNode {
  const t = useTexts('public').check
  const faults = useTexts('faults')
  const format = useFormat()
  if (fault === null) {
    return (
      <Notice tone="good" title={t.fine} isLive>
        {t.models(format.number(models))}
      </Notice>
    )
  }
  const text = faultTextOf(faults, fault)
  return (
    <Notice tone="warn" title={text?.title ?? fault} isLive>
      {text?.cause}
    </Notice>
  )
}
