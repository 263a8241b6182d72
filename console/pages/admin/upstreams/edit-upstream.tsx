import { useState, type ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { changeUpstream } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { NumberField } from '../../../forms/number-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountOf, amountOrNone, countOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { FormDrawer } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'

const COUNTS = ['max_concurrency', 'connect_timeout_ms', 'first_byte_timeout_ms', 'timeout_ms'] as const
const COUNT = { least: 1, most: 9_999_999 } as const

/** Edits the name, address, limits and times of an upstream. Another address takes another credential: what is stored is not sent there. */
export default function EditUpstream(props: { readonly upstream: UpstreamView; onClose(): void }): ReactNode {
  const t = useTexts('upstreams').editing
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [upstream] = useState(props.upstream)
  const form = useForm({
    initial: () => ({
      name: upstream.name,
      base_url: upstream.base_url,
      credential: '',
      spend_per_day: upstream.spend_per_day ?? '',
      max_concurrency: textOf(upstream.max_concurrency),
      connect_timeout_ms: textOf(upstream.connect_timeout_ms),
      first_byte_timeout_ms: textOf(upstream.first_byte_timeout_ms),
      timeout_ms: textOf(upstream.timeout_ms),
    }),
    validate: (values) => ({
      name: values.name.trim() === '' && 'required',
      base_url: values.base_url.trim() === '' && 'required',
      credential: needsCredential(values.base_url) && values.credential.trim() === '' && 'required',
      spend_per_day: !isEmptyOr(amountOf, values.spend_per_day) && 'amountForm',
      ...Object.fromEntries(COUNTS.map((name) => [name, !isEmptyOr(countIn, values[name]) && 'countForm'] as const)),
    }),
    messages: t,
    send: (values, { version }) =>
      changeUpstream(
        upstream.id,
        {
          name: values.name.trim(),
          ...(isMoved(values.base_url) ? { base_url: values.base_url.trim() } : {}),
          ...(needsCredential(values.base_url) ? { credential: values.credential.trim() } : {}),
          spend_per_day: amountOrNone(values.spend_per_day),
          ...Object.fromEntries(COUNTS.map((name) => [name, countIn(values[name])])),
        },
        version ?? upstream.version,
      ),
    done: ({ name }) => t.done(name),
    refreshes: ['upstreams', 'models', 'attention'],
    onClose: props.onClose,
  })
  const field = (name: keyof typeof t.fields) => form.text(name, t.fields[name])
  return (
    <FormDrawer form={form} title={t.title(upstream.name)} onClose={props.onClose}>
      <TextField {...field('name')} maxLength={100} />
      <TextField {...field('base_url')} type="url" inputMode="url" spellCheck={false} maxLength={500} />
      {needsCredential(form.values.base_url) && (
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
    </FormDrawer>
  )

  function isMoved(address: string): boolean {
    return address.trim() !== upstream.base_url
  }

  function needsCredential(address: string): boolean {
    return isMoved(address) && upstream.credentials.length > 0
  }
}

function countIn(text: string): number | null {
  return countOf(text, COUNT)
}

function textOf(count: number | null): string {
  return count === null ? '' : String(count)
}
