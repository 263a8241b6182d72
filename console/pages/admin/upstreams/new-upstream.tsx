import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { upstreamsQuery } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { type FormState, useForm } from '../../../forms/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import {
  type AddressForm,
  BLANK_ADDRESS,
  formOf,
  formOfCloud,
  formOfLocal,
  type Found,
  isAddress,
  MOST_SECRETS,
  nameFor,
  sourceOf,
  unnamedCloud,
} from './address-form.ts'
import { addressProblems } from './address-problems.ts'
import { ChooseModels } from './choose-models.tsx'
import { MoreCloudFields } from './cloud-fields.tsx'
import { optionalSettings } from './credential-fields.tsx'
import { answers, findOut, lacksList, withoutList } from './find-out.ts'
import { ProbeSteps } from './trial-result.tsx'
import { useVendorName, VendorChoice, vendorsFound } from './vendor-choice.tsx'
import { MoreVendorFields, VendorFields, VendorHead } from './vendor-fields.tsx'
import { type VendorId, vendorOf } from './vendors.ts'

/** Leads from what is to be connected, or a base URL, to a first real answer. */
export default function NewUpstream({ onClose }: { onClose(): void }): ReactNode {
  const t = useTexts('upstreams')
  const [address, setAddress] = useState(BLANK_ADDRESS)
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

/** What is to be connected, what that needs, and what asking it came to. */
function AskAddress(props: { readonly address: AddressForm; onFound(found: Found): void }): ReactNode {
  const t = useTexts('upstreams').adding
  const words = useTexts('connecting')
  const nameOf = useVendorName()
  const { data: upstreams = [] } = useQuery(upstreamsQuery)
  const taken = upstreams.map(({ name }) => name)
  const [failed, setFailed] = useState<Found | null>(null)
  const form = useForm({
    initial: props.address,
    keptAs: 'upstream',
    secrets: { credential: '', proxy_url: '' },
    fields: fieldsOf,
    validate: addressProblems,
    messages: { tooMany: t.tooMany(MOST_SECRETS), ...words.problems },
    send: (address) => findOut({ ...address, name: address.name.trim() || nameFor(address, taken) }),
    onDone: (found) => {
      if (found.probe.protocol !== null) props.onFound(found)
      else if (lacksList(found)) props.onFound(withoutList(found))
      else setFailed(found)
    },
  })
  const { values } = form
  const isChoosing = values.vendor === '' && !isAddress(values.base_url)
  const begin = (address: AddressForm): void => {
    setFailed(null)
    form.reset()
    form.change(address)
  }
  const choose = (vendor: VendorId): void => begin(formOf(vendor))
  const connectNow = useConnection(form)
  return (
    <Form
      submission={
        isChoosing ? { ...form, submit: () => vendorsFound(values.base_url, nameOf).slice(0, 1).forEach(choose) } : form
      }
      foot={isChoosing ? null : <ConnectButton isBusy={form.isSending} />}
    >
      {values.vendor === '' ? (
        <SearchField form={form} isChoosing={isChoosing} />
      ) : (
        <VendorHead id={values.vendor} onChange={() => begin(BLANK_ADDRESS)} />
      )}
      {isChoosing ? (
        <VendorChoice
          words={values.base_url}
          onVendor={choose}
          onLocal={(server) => {
            begin(formOfLocal(server, taken))
            connectNow()
          }}
        />
      ) : (
        <>
          <VendorFields form={form} vendor={values.vendor === '' ? null : vendorOf(values.vendor)} />
          <CloudHint form={form} onForm={begin} />
          <MoreFields form={form} taken={taken} />
        </>
      )}
      {failed !== null && !form.isSending && !isChoosing && (
        <FailedLook failed={failed} onPass={() => props.onFound(withoutList(failed))} />
      )}
    </Form>
  )
}

/** The fields as errors of the API name them. */
function fieldsOf({ settings }: AddressForm): readonly string[] {
  return [...Object.keys(BLANK_ADDRESS), ...Object.keys(settings).map((name) => `settings.${name}`)]
}

/** Returns what sends the form with the values that are set in the same moment. */
function useConnection(form: FormState<AddressForm>): () => void {
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (!isWanted) return
    setWanted(false)
    form.submit()
  }, [isWanted])
  return () => setWanted(true)
}

function ConnectButton({ isBusy }: { readonly isBusy: boolean }): ReactNode {
  const t = useTexts('upstreams').adding
  return (
    <div className="flex justify-end">
      <Button type="submit" look="primary" isBusy={isBusy} className="max-sm:w-full">
        {t.look}
      </Button>
    </div>
  )
}

/** Takes the name of a vendor, or a base URL, whichever an admin has. */
function SearchField(props: { readonly form: FormState<AddressForm>; readonly isChoosing: boolean }): ReactNode {
  const t = useTexts('upstreams').adding
  const words = useTexts('connecting')
  return (
    <TextField
      {...props.form.text('base_url', t.url)}
      hint={props.isChoosing ? undefined : t.urlHint}
      placeholder={words.searchPlaceholder}
      autoFocus
      autoCapitalize="none"
      spellCheck={false}
      maxLength={500}
    />
  )
}

/** What was asked in vain; and where something answered, the way on without a list. */
function FailedLook({ failed, onPass }: { readonly failed: Found; onPass(): void }): ReactNode {
  const t = useTexts('upstreams').adding
  const words = useTexts('connecting')
  return (
    <>
      <Notice
        tone="bad"
        isLive
        action={answers(failed.probe) && <Button onClick={onPass}>{words.continueWithout}</Button>}
      >
        {t.nothing}
      </Notice>
      <ProbeSteps steps={failed.probe.steps} />
    </>
  )
}

/** Offers the form of a cloud where one of its addresses was pasted as any other. */
function CloudHint(props: { readonly form: FormState<AddressForm>; onForm(form: AddressForm): void }): ReactNode {
  const t = useTexts('connecting')
  const { values } = props.form
  const cloud = unnamedCloud(values)
  if (cloud === null) return null
  const { name } = vendorOf(cloud)
  return (
    <Notice action={<Button onClick={() => props.onForm(formOfCloud(values, cloud))}>{t.setUpAs(name)}</Button>}>
      {t.isAddressOf(name)}
    </Notice>
  )
}

/** What most people need not say. */
function MoreFields(props: { readonly form: FormState<AddressForm>; readonly taken: readonly string[] }): ReactNode {
  const t = useTexts('upstreams').adding
  const { form } = props
  const words = useTexts('connecting')
  const { vendor } = form.values
  const names = ['name', 'proxy_url', ...optionalSettings(sourceOf(form.values)).map((name) => `settings.${name}`)]
  const isMoreWrong = names.some((name) => form.errorOf(name) !== undefined)
  return (
    <Disclosure title={vendor === '' ? t.more : words.more} isOpenAtFirst={isMoreWrong}>
      <div className="grid gap-4">
        <TextField
          {...form.text('name', t.name)}
          placeholder={nameFor(form.values, props.taken)}
          isOptional
          maxLength={100}
        />
        <MoreCloudFields form={form} />
        {vendor !== '' && <MoreVendorFields form={form} vendor={vendorOf(vendor)} />}
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
  )
}
