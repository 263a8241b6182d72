import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useComparedLines } from './compared-lines.ts'
import type { ListedModel } from './model-list.ts'

/** Two models side by side; what differs stands out. */
export default function CompareModels(props: {
  readonly models: readonly [ListedModel, ListedModel]
  onClose(): void
}): ReactNode {
  const t = useTexts('models')
  const lines = useComparedLines(props.models)
  return (
    <Dialog isOpen onClose={props.onClose} title={t.compare.title} description={t.compare.lead} size="large">
      <table className="w-full table-fixed border-collapse text-left">
        <thead>
          <tr className="border-b border-line align-bottom">
            <th scope="col" className="w-1/4 py-2 pr-3 text-sm font-medium text-ink-3">
              {t.compare.property}
            </th>
            {props.models.map(({ model }) => (
              <th key={model.id} scope="col" className="py-2 pr-3 font-medium">
                <Link
                  to={PATHS.models}
                  search={{ model: model.name }}
                  className="break-all text-accent hover:underline"
                >
                  {model.name}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, texts, isSame }) => (
            <tr key={label} className="border-b border-line align-top last:border-0">
              <th scope="row" className="py-2 pr-3 text-sm font-normal text-ink-3">
                {label}
              </th>
              {texts.map((text, index) => (
                <td key={index} className={classNames('py-2 pr-3', isSame ? 'text-ink-2' : 'font-medium')}>
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
