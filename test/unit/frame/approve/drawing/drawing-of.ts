import type { Summary } from '../../../../../src/chains/approval/summary.ts';
import { ApprovalDrawing } from '../../../../../src/frame/approve/drawing/approve-drawing.ts';
import * as calls from '../../../../../src/frame/approve/drawing/call-drawing.ts';
import * as memo from '../../../../../src/frame/approve/drawing/long-text.ts';
import { drawOrder } from '../../../../../src/frame/approve/drawing/order-drawing.ts';

/** At once, with every part, whether the summary needs it or not. `ApprovalDrawing.load` gets only those that it needs. */
export function drawingOf(summary: Summary): ApprovalDrawing {
  const { order } = summary;
  return new ApprovalDrawing(summary, { calls, memo, order: order && drawOrder(summary, order) });
}
