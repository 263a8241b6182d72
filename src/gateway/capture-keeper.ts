import type { CapturedContent, CapturedRequest } from '../access/capture.ts'

/** Where captured requests are kept. `app` joins it. */
export interface CaptureKeeper {
  seal(content: CapturedContent): string
  /** Resolves to whether the capture takes more. */
  keep(captureId: string, request: CapturedRequest): Promise<{ readonly takesMore: boolean }>
  noteMissed(captureId: string, count: number): Promise<void>
  /** What a captured request sent and got could not be kept. Said once for each capture. */
  onFailure(captureId: string, error: unknown): void
}
