import { useState, type ReactNode } from 'react'
import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'
import { probeUpstream } from '../../../api/upstream-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { TextAreaField, TextField } from '../../../forms/text-field.tsx'
import { Form } from '../../../forms/form.tsx'
import { useSubmission, type FieldErrors } from '../../../forms/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { type AddressDraft, type Found, proxyOf, secretsOf } from './found-address.ts'
import { ProbeSteps } from './probe-steps.tsx'

/** The most credentials that are tried one after the other while an admin waits. */
const MOST_SECRETS = 50

/** The fields of a new upstream, and what asking that address came to. */
export function AddressForm(props: {
  readonly draft: AddressDraft
  onDraft(draft: AddressDraft): void
  onFound(found: Found): void
}): ReactNode {
  const t = useTexts('upstreams').adding
  const shared = useSharedTexts()
  const { draft, onDraft, onFound } = props
  const [failed, setFailed] = useState<UpstreamProbeView | null>(null)
  const secrets = secretsOf(draft)
  const submission = useSubmission({
    fields: ['base_url', 'credential', 'proxy_url', 'name'],
    check: (): FieldErrors => ({
      ...(draft.url.trim() === '' ? { base_url: shared.required } : {}),
      ...(draft.name.trim() === '' ? { name: shared.required } : {}),
      ...(secrets.length > MOST_SECRETS ? { credential: t.tooMany(MOST_SECRETS) } : {}),
    }),
    send: () => findOut({ base_url: draft.url.trim(), proxy_url: proxyOf(draft) }, secrets),
    onDone: ({ probe, others }) => {
      if (probe.protocol === null) setFailed(probe)
      else onFound({ draft, probe, others })
    },
  })
  return (
    <Form
      submission={submission}
      foot={
        <div className="flex justify-end">
          <Button type="submit" look="primary" isBusy={submission.isSending} className="max-sm:w-full">
            {t.look}
          </Button>
        </div>
      }
    >
      <TextField
        name="base_url"
        label={t.url}
        hint={t.urlHint}
        type="url"
        inputMode="url"
        autoFocus
        spellCheck={false}
        maxLength={500}
        value={draft.url}
        onValue={(url) => onDraft({ ...draft, url })}
        error={submission.errorOf('base_url')}
      />
      <TextAreaField
        name="credential"
        label={t.secrets}
        hint={t.secretsHint}
        error={submission.errorOf('credential')}
        rows={3}
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-sm"
        value={draft.secrets}
        onValue={(text) => onDraft({ ...draft, secrets: text })}
      />
      <TextField
        name="proxy_url"
        label={t.proxy}
        hint={t.proxyHint}
        isOptional
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={1000}
        value={draft.proxyUrl}
        onValue={(proxyUrl) => onDraft({ ...draft, proxyUrl })}
        error={submission.errorOf('proxy_url')}
      />
      <TextField
        name="name"
        label={t.name}
        maxLength={100}
        value={draft.name}
        onValue={(name) => onDraft({ ...draft, name })}
        error={submission.errorOf('name')}
      />
      {failed !== null && !submission.isSending && (
        <>
          <Notice tone="bad" isLive>
            {t.nothing}
          </Notice>
          <ProbeSteps steps={failed.steps} />
        </>
      )}
    </Form>
  )
}

/** Finds out with the first credential which protocol the address speaks, then whether it takes each of the others. */
async function findOut(
  address: { readonly base_url: string; readonly proxy_url: string | null },
  [first = null, ...more]: readonly (string | null)[],
): Promise<Pick<Found, 'probe' | 'others'>> {
  const probe = await probeUpstream({ ...address, credential: first, protocol: null })
  const others: boolean[] = []
  for (const credential of probe.protocol === null ? [] : more) {
    const { protocol } = await probeUpstream({ ...address, credential, protocol: probe.protocol })
    others.push(protocol !== null)
  }
  return { probe, others }
}
