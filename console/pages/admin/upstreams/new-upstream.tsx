import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'
import { probeUpstream, upstreamsQuery } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { TextAreaField, TextField } from '../../../forms/text-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { ChooseModels } from './choose-models.tsx'
import { type AddressForm, type Found, MOST_SECRETS, secretsIn, suggestedName } from './found-address.ts'
import { ProbeSteps } from './trial-result.tsx'

/** Leads from a base URL, credentials and a name to a first real answer. */
export default function NewUpstream({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('upstreams')
  const [address, setAddress] = useState<AddressForm>({ base_url: '', credential: '', proxy_url: '', name: '' })
  const [found, setFound] = useState<Found | null>(null)
  return (
    <Drawer isOpen title={t.new} description={t.adding.lead} onClose={onClose}>
      {found === null ? (
        <AskAddress
          address={address}
          onFound={(result) => {
            setAddress(result.address)
            setFound(result)
          }}
        />
      ) : (
        <ChooseModels found={found} onBack={() => setFound(null)} />
      )}
    </Drawer>
  )
}

/** The fields of a new upstream, and what asking that address came to. */
function AskAddress(props: { readonly address: AddressForm; onFound(found: Found): void }): ReactNode {
  const t = useTexts('upstreams').adding
  const { data: upstreams = [] } = useQuery(upstreamsQuery)
  const taken = upstreams.map(({ name }) => name)
  const [failed, setFailed] = useState<UpstreamProbeView | null>(null)
  const form = useForm({
    initial: props.address,
    keptAs: 'upstream',
    secrets: { credential: '', proxy_url: '' },
    validate: ({ base_url: url, credential }) => ({
      base_url: url.trim() === '' && 'required',
      credential: secretsIn(credential).length > MOST_SECRETS && 'tooMany',
    }),
    messages: { tooMany: t.tooMany(MOST_SECRETS) },
    send: (address) => findOut({ ...address, name: address.name.trim() || suggestedName(address.base_url, taken) }),
    onDone: (found) => {
      if (found.probe.protocol === null) setFailed(found.probe)
      else props.onFound(found)
    },
  })
  const isMoreWrong = form.errorOf('proxy_url') !== undefined || form.errorOf('name') !== undefined
  return (
    <Form
      submission={form}
      foot={
        <div className="flex justify-end">
          <Button type="submit" look="primary" isBusy={form.isSending} className="max-sm:w-full">
            {t.look}
          </Button>
        </div>
      }
    >
      <TextField
        {...form.text('base_url', t.url)}
        hint={t.urlHint}
        type="url"
        inputMode="url"
        autoFocus
        spellCheck={false}
        maxLength={500}
      />
      <TextAreaField
        {...form.text('credential', t.secrets)}
        hint={t.secretsHint}
        rows={3}
        autoComplete="off"
        spellCheck={false}
        className="font-mono text-sm"
      />
      <Disclosure title={t.more} isOpenAtFirst={isMoreWrong}>
        <div className="grid gap-4">
          <TextField
            {...form.text('name', t.name)}
            placeholder={suggestedName(form.values.base_url, taken)}
            isOptional
            maxLength={100}
          />
          <TextField
            {...form.text('proxy_url', t.proxy)}
            hint={t.proxyHint}
            isOptional
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={1000}
          />
        </div>
      </Disclosure>
      {failed !== null && !form.isSending && (
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
async function findOut(address: AddressForm): Promise<Found> {
  const [first = null, ...more] = secretsIn(address.credential)
  const asked = { base_url: address.base_url.trim(), proxy_url: address.proxy_url.trim() || null }
  const probe = await probeUpstream({ ...asked, credential: first, protocol: null })
  const others: boolean[] = []
  for (const credential of probe.protocol === null ? [] : more) {
    const { protocol } = await probeUpstream({ ...asked, credential, protocol: probe.protocol })
    others.push(protocol !== null)
  }
  return { address, probe, others }
}
