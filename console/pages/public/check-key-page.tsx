import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { KeyChecked } from '../../../src/contract/public-pages.ts'
import { checkKey } from '../../api/public-pages.ts'
import { Sparkline } from '../../chart/sparkline.tsx'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { LimitBars } from '../key/limit-bars.tsx'
import { PublicFrame } from './public-frame.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DetailList } from '../../ui/detail-list.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useNow } from '../../ui/use-now.ts'

/** The use and limits of one key, to those who have its secret. What is pasted is in the state of this page alone. */
export default function CheckKeyPage(): ReactNode {
  const t = useTexts('public').check
  const [checked, setChecked] = useState<KeyChecked | null>(null)
  return (
    <PublicFrame page="key_check" title={t.title} lead={t.lead}>
      {checked === null ? (
        <CheckForm onChecked={setChecked} />
      ) : (
        <KeyStanding checked={checked} onClose={() => setChecked(null)} />
      )}
    </PublicFrame>
  )
}

function CheckForm({ onChecked }: { onChecked(checked: KeyChecked): void }): ReactNode {
  const t = useTexts('public').check
  const form = useForm({
    initial: { key: '' },
    validate: ({ key }) => ({ key: key.trim() === '' && 'required' }),
    send: ({ key }) => checkKey(key.trim()),
    onDone: onChecked,
  })
  return (
    <div className="card max-w-xl p-5">
      <Form
        submission={form}
        label={t.title}
        foot={
          <div className="flex justify-end">
            <Button type="submit" look="primary" isBusy={form.isSending}>
              {t.action}
            </Button>
          </div>
        }
      >
        <TextField
          {...form.text('key', t.key)}
          // A name that no password store takes for its own.
          name="checked-key"
          hint={t.hint}
          type="password"
          isSecret
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
          maxLength={200}
        />
      </Form>
    </div>
  )
}

const TONES: Readonly<Record<KeyChecked['status'], Tone>> = {
  active: 'good',
  disabled: 'neutral',
  expired: 'bad',
  quota_exhausted: 'warn',
}

/** What is read of a key. `onClose` forgets it. */
function KeyStanding(props: { readonly checked: KeyChecked; onClose(): void }): ReactNode {
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
