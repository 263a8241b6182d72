import { useState, type ReactNode } from 'react'
import type { FetchedPrices } from '../../../../../src/contract/price-fetch.ts'
import { fetchPrices } from '../../../../api/price-admin.ts'
import { type PageTexts, useTexts } from '../../../../dictionaries/texts.ts'
import { Form } from '../../../../forms/form.tsx'
import { TextField } from '../../../../forms/text-field.tsx'
import { Button } from '../../../../ui/button.tsx'
import { Notice } from '../../../../ui/notice.tsx'
import { useForm } from '../../../../forms/use-form.ts'
import type { Catalogue } from './catalogue-entry.ts'
import { type CatalogueProblem, catalogueOf } from './read-catalogue.ts'

/** The last answer that had no prices: why, and what was asked. */
interface Failed {
  readonly url: string
  readonly because: Exclude<FetchedPrices, { result: 'read' }> | CatalogueProblem
}

/** A catalogue that the gateway fetches from another server. */
export function CatalogueUrl(props: { onCatalogue(catalogue: Catalogue): void }): ReactNode {
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
