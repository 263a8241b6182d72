import type { EngineConnection, EngineResult, Statement } from '../engine/engine.ts'
import type { SnapshotReader } from './snapshot-reader.ts'

/** Single statements in the thread of the readers, each as of its own moment. There are no transactions here. */
export class ViewConnection implements EngineConnection {
  readonly #reader: SnapshotReader

  constructor(reader: SnapshotReader) {
    this.#reader = reader
  }

  execute({ sql, parameters }: Statement): Promise<EngineResult> {
    return this.#reader.run(sql, parameters)
  }

  begin(): Promise<void> {
    return Promise.reject(new Error('a view is one statement, without a transaction'))
  }

  async commit(): Promise<void> {}

  async rollback(): Promise<void> {}

  release(): void {}
}
