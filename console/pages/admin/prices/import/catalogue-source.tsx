import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ShippedPrices } from '../../../../../src/contract/price-catalogue.ts'
import type { FetchedPrices } from '../../../../../src/contract/price-fetch.ts'
import { fetchPrices, readShippedPrices } from '../../../../api/price-admin.ts'
import { useMay } from '../../../../api/use-may.ts'
import { type PageTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { Field } from '../../../../forms/field.tsx'
import { Form } from '../../../../forms/form.tsx'
import { TextAreaField, TextField } from '../../../../forms/text-field.tsx'
import { Button } from '../../../../ui/button.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Input } from '../../../../ui/input.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { Section } from '../../../../ui/section.tsx'
import { useForm } from '../../../../forms/use-form.ts'
import type { Catalogue } from './catalogue-entry.ts'
import { catalogueOf, type CatalogueProblem, readCatalogue } from './read-catalogue.ts'

/** Larger than any catalogue of today. */
const MOST_BYTES = 32 * 1024 * 1024

/** Where the prices come from: a file or what is pasted, read in this browser and sent nowhere; a URL that the server asks; or what is shipped. */
export function CatalogueSource(props: { onCatalogue(catalogue: Catalogue): void }): ReactNode {
  const t = useTexts('priceImport').source
  const mayFetch = useMay('prices')
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<CatalogueProblem | 'too_large' | 'required' | null>(null)
  const shipped = useMutation({
    mutationFn: readShippedPrices,
    onSuccess: (prices) => props.onCatalogue(shippedCatalogue(prices)),
  })
  const read = (content: string): void => {
    const found = content.trim() === '' ? ('required' as const) : readCatalogue(content)
    if (typeof found === 'string') setProblem(found)
    else props.onCatalogue(found)
  }
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    if (file.size > MOST_BYTES) setProblem('too_large')
    else read(await file.text())
  }
  return (
    <Section title={t.title} lead={t.lead}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3 border-b border-line pb-4">
        <p className="text-sm text-ink-2">{t.shippedHint}</p>
        <Button look="primary" isBusy={shipped.isPending} className="ml-auto" onClick={() => shipped.mutate()}>
          {t.shipped}
        </Button>
      </div>
      {shipped.error !== null && <ErrorState error={shipped.error} />}
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          read(text)
        }}
      >
        <Field name="file" label={t.file} hint={t.fileHint}>
          {(control) => (
            <Input
              {...control}
              type="file"
              accept=".json,application/json"
              onChange={(event) => void choose(event.currentTarget.files?.[0])}
            />
          )}
        </Field>
        <TextAreaField
          name="text"
          label={t.text}
          error={problem === null ? undefined : t.objections[problem]}
          rows={4}
          spellCheck={false}
          className="font-mono"
          value={text}
          onValue={(pasted) => {
            setProblem(null)
            setText(pasted)
          }}
        />
        <div className="flex justify-end">
          <Button type="submit">{t.action}</Button>
        </div>
      </form>
      {mayFetch && (
        <div className="mt-4 border-t border-line pt-4">
          <CatalogueUrl onCatalogue={props.onCatalogue} />
        </div>
      )}
    </Section>
  )
}

/** The list prices that are shipped with the gateway, as a catalogue to compare with. */
function shippedCatalogue({ dated, providers }: ShippedPrices): Catalogue {
  const entries = Object.entries(providers).flatMap(([provider, models]) =>
    Object.entries(models).map(
      ([name, { price, context_tokens: contextTokens, max_output_tokens: maxOutputTokens, left_out: left = [] }]) => ({
        provider,
        name,
        price,
        contextTokens,
        maxOutputTokens,
        left: left.map(({ field, because, dearer: isDearer }) => ({ field, because, isDearer })),
      }),
    ),
  )
  return { form: 'shipped', from: dated, entries, unpriced: [] }
}

/** The last answer that had no prices: why, and what was asked. */
interface Failed {
  readonly url: string
  readonly because: Exclude<FetchedPrices, { result: 'read' }> | CatalogueProblem
}

/** A catalogue that the gateway fetches from another server. */
function CatalogueUrl(props: { onCatalogue(catalogue: Catalogue): void }): ReactNode {
  const t = useTexts('priceImport').source
  const [failed, setFailed] = useState<Failed | null>(null)
  const form = useForm({
    initial: { url: '' },
    validate: ({ url }) => {
      const { username = '', password = '' } = URL.parse(url.trim()) ?? {}
      return { url: url.trim() === '' ? 'required' : username + password !== '' && 'urlWithLogin' }
    },
    messages: t,
    send: ({ url }) => {
      setFailed(null)
      return fetchPrices(url.trim())
    },
    onDone: (answer) => {
      const found = answer.result === 'read' ? catalogueOf(answer.document) : answer
      if (typeof found !== 'string' && 'entries' in found) {
        const host = URL.parse(answer.url)?.host
        props.onCatalogue({ ...found, ...(host === undefined ? {} : { from: host }) })
      } else setFailed({ url: answer.url, because: found })
    },
  })
  return (
    <Form
      submission={form}
      foot={
        <div className="flex justify-end">
          <Button type="submit" isBusy={form.isSending}>
            {t.fetch}
          </Button>
        </div>
      }
    >
      <TextField
        {...form.text('url', t.url)}
        hint={t.urlHint}
        type="url"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2000}
      />
      {failed !== null && !form.isSending && (
        <Notice tone="bad" isLive>
          <p>{textOf(failed.because, t)}</p>
          <p className="mt-0.5 text-sm break-all text-ink-2">{t.asked(failed.url)}</p>
        </Notice>
      )}
    </Form>
  )
}

function textOf(because: Failed['because'], t: PageTexts['priceImport']['source']): string {
  if (typeof because === 'string') return t.objections[because]
  return because.result === 'status' ? t.fetchStatus(because.status ?? 0) : t.fetchFailures[because.result]
}
