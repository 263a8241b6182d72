import type { ReactNode } from 'react'
import type { ApiProblem } from '../api/api-problem.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { useFormat } from '../format/use-format.ts'
import { differenceRows, type FieldWords } from './difference-rows.ts'
import { objectKindAt } from './object-kinds.ts'
import { ObjectWords } from './object-words.tsx'

type Of = Pick<ApiProblem, 'path' | 'differences'>

/** Both versions of each field that differs, in the words of the form or page that has the field. */
export default function Differences(props: Of): ReactNode {
  const kind = props.path === null ? null : objectKindAt(props.path)
  return <ObjectWords kind={kind} draw={(words) => <Table {...props} words={words} />} />
}

function Table({ differences, words }: Of & { readonly words: FieldWords }): ReactNode {
  const shared = useSharedTexts()
  const format = useFormat()
  const t = shared.collision
  return (
    <div tabIndex={0} role="region" aria-label={t.title} className="my-2 overflow-x-auto">
      <table className="w-full text-left text-sm">
        <thead className="text-ink-3">
          <tr>
            <th className="min-w-20 py-1 pr-4 font-normal [overflow-wrap:normal]">{t.field}</th>
            <th className="py-1 pr-4 font-normal">{t.theirs}</th>
            <th className="py-1 font-normal">{t.mine}</th>
          </tr>
        </thead>
        <tbody>
          {differenceRows(differences, words, { shared, format }).map(({ label, field, theirs, mine }) => (
            <tr key={field} className="border-t border-line align-top">
              <th scope="row" className="min-w-20 py-1 pr-4 font-normal [overflow-wrap:normal]">
                {label ?? <span className="font-mono">{field}</span>}
              </th>
              <td className="min-w-20 py-1 pr-4 [overflow-wrap:anywhere]">
                <Lines texts={theirs} />
              </td>
              <td className="min-w-20 py-1 [overflow-wrap:anywhere]">
                <Lines texts={mine} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Lines({ texts }: { readonly texts: readonly string[] }): ReactNode {
  const [only] = texts
  if (texts.length === 1) return only
  return (
    <ol className="grid gap-1">
      {texts.map((text, at) => (
        <li key={at}>{text}</li>
      ))}
    </ol>
  )
}
