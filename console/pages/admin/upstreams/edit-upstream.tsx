import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { changeUpstream } from '../../../api/upstream-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { CancelOrSubmit } from '../../../forms/cancel-or-submit.tsx'
import { Form } from '../../../forms/form.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountOf, amountOrNone, countOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { Drawer } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toasts.tsx'

const COUNTS = ['max_concurrency', 'connect_timeout_ms', 'first_byte_timeout_ms', 'timeout_ms'] as const
const COUNT = { least: 1, most: 9_999_999 } as const

/** Its name, address, limits and times. Another address takes another credential: what is stored is not sent there. */
export default function EditUpstream(props: { readonly upstream: UpstreamView; onClose(): void }): ReactNode {
  const t = useTexts('upstreams').editing
  const shared = useSharedTexts()
  const queries = useQueryClient()
  const toast = useToast()
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [upstream] = useState(props.upstream)
  const [wish, setWish] = useState(() => ({
    name: upstream.name,
    base_url: upstream.base_url,
    credential: '',
    spend_per_day: upstream.spend_per_day ?? '',
    max_concurrency: textOf(upstream.max_concurrency),
    connect_timeout_ms: textOf(upstream.connect_timeout_ms),
    first_byte_timeout_ms: textOf(upstream.first_byte_timeout_ms),
    timeout_ms: textOf(upstream.timeout_ms),
  }))
  type Name = keyof typeof wish
  const isMoved = wish.base_url.trim() !== upstream.base_url
  const needsCredential = isMoved && upstream.credentials.length > 0
  const close = (): void => {
    for (const name of ['upstreams', 'models', 'attention']) void queries.invalidateQueries({ queryKey: [name] })
    props.onClose()
  }
  const submission = useSubmission({
    fields: Object.keys(wish),
    check: (): FieldErrors => ({
      ...(wish.name.trim() === '' ? { name: shared.required } : {}),
      ...(wish.base_url.trim() === '' ? { base_url: shared.required } : {}),
      ...(needsCredential && wish.credential.trim() === '' ? { credential: shared.required } : {}),
      ...(isEmptyOr(amountOf, wish.spend_per_day) ? {} : { spend_per_day: t.amountForm }),
      ...Object.fromEntries(
        COUNTS.filter((name) => !isEmptyOr(countIn, wish[name])).map((name) => [name, t.countForm]),
      ),
    }),
    send: (_key, overwritten) =>
      changeUpstream(
        upstream.id,
        {
          name: wish.name.trim(),
          ...(isMoved ? { base_url: wish.base_url.trim() } : {}),
          ...(needsCredential ? { credential: wish.credential.trim() } : {}),
          spend_per_day: amountOrNone(wish.spend_per_day),
          ...Object.fromEntries(COUNTS.map((name) => [name, countIn(wish[name])])),
        },
        overwritten ?? upstream.version,
      ),
    onTheirs: close,
    onDone: ({ name }) => {
      toast({ text: t.done(name) })
      close()
    },
  })
  const field = (name: Name) => ({
    name,
    label: t.fields[name],
    value: wish[name],
    onValue: (value: string) => setWish({ ...wish, [name]: value }),
    error: submission.errorOf(name),
  })
  return (
    <Drawer isOpen title={t.title(upstream.name)} onClose={props.onClose}>
      <Form
        submission={submission}
        foot={<CancelOrSubmit submission={submission} action={shared.save} onCancel={props.onClose} />}
      >
        <TextField {...field('name')} maxLength={100} />
        <TextField {...field('base_url')} type="url" inputMode="url" spellCheck={false} maxLength={500} />
        {needsCredential && (
          <TextField
            {...field('credential')}
            hint={upstream.credentials.length > 1 ? t.poolHint(upstream.credentials.length) : t.credentialHint}
            type="password"
            isSecret
            autoComplete="off"
          />
        )}
        <NumberField of="amount" {...field('spend_per_day')} hint={t.noneHint} isOptional />
        <div className="grid gap-4 sm:grid-cols-2">
          {COUNTS.map((name) => (
            <NumberField of="count" key={name} {...field(name)} isOptional />
          ))}
        </div>
      </Form>
    </Drawer>
  )
}

function countIn(text: string): number | null {
  return countOf(text, COUNT)
}

function textOf(count: number | null): string {
  return count === null ? '' : String(count)
}
