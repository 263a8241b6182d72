import { useState, type ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { replaceSecret } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextField } from '../../../forms/text-field.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'

/** Gives one credential of a pool another secret. */
export default function ReplaceSecret(props: {
  readonly upstream: UpstreamView
  readonly name: string
  onClose(): void
}): ReactNode {
  const t = useTexts('upstreams').replacing
  const { name, onClose } = props
  // As it was when the form was opened: the rest of the pool is sent along.
  const [upstream] = useState(props.upstream)
  const form = useForm({
    initial: { credentials: '' },
    validate: ({ credentials }) => ({ credentials: credentials.trim() === '' && 'required' }),
    send: ({ credentials }, { version }) =>
      replaceSecret(upstream, { name, secret: credentials.trim(), version: version ?? upstream.version }),
    done: () => t.done(name),
    refreshes: ['upstreams'],
    onClose,
  })
  return (
    <FormDialog form={form} size="small" title={t.title(name)} description={t.lead} action={t.action} onClose={onClose}>
      <TextField {...form.text('credentials', t.secret)} type="password" isSecret autoComplete="off" />
    </FormDialog>
  )
}
