// The parts of the chat page that this page is built from.

export { announce, liveRegion } from "../../../examples/chat/web/src/announce";
export { CallLog } from "../../../examples/chat/web/src/call-log";
export { folded, resultOf } from "../../../examples/chat/web/src/call-result";
export { CallView } from "../../../examples/chat/web/src/call-view";
export { h, icon, type Shape, uniqueId } from "../../../examples/chat/web/src/dom";
export { field, problemOf, words } from "../../../examples/chat/web/src/forms/field";
export { type AnyRequest, draw, type FormPlace, questionForm } from "../../../examples/chat/web/src/forms/form";
export { genericForm } from "../../../examples/chat/web/src/forms/generic";
export { viewOrForm } from "../../../examples/chat/web/src/forms/view";
export { visit } from "../../../examples/chat/web/src/forms/visit";
export {
  type Answer,
  type FieldSchema,
  PluginError as Refusal,
  type Question,
  refusal,
  type RejectedAnswer,
  serverSentEvents,
  type TimelineEvent,
  type Tool,
} from "../../../examples/chat/web/src/plugins/plugin-client";
export { HostedView, type ViewClient } from "../../../examples/chat/web/src/plugins/view-host";
