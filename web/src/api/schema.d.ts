// Made from the OpenAPI document 31de1b445785da1f; `make web-types` renews it.

export interface paths {
    "/v1/annotations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Annotations
         * @description Annotations, newest first: of a trace, a run or an experiment's runs, by an annotator, or with a label.
         *
         *     A reviewer sees only its own.
         */
        get: operations["list_annotations_v1_annotations_get"];
        put?: never;
        /**
         * Annotate
         * @description Annotate a trace, one of its spans, or a run, with scores that are stored together with the annotation.
         *
         *     A label to which the project's label set gives a number is a human score too, unless `score` is false. It takes the
         *     place of what the same annotator scored before under that name. Scores of a trace sit on its root span.
         */
        post: operations["annotate_v1_annotations_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/annotations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Annotation
         * @description One annotation.
         */
        get: operations["get_annotation_v1_annotations__id__get"];
        /**
         * Correct Annotation
         * @description Replace an annotation's label, correction, notes and scores. A reviewer corrects only its own.
         */
        put: operations["correct_annotation_v1_annotations__id__put"];
        post?: never;
        /**
         * Undo Annotation
         * @description Delete an annotation and the scores that it gave; its annotator's previous annotation counts again.
         */
        delete: operations["undo_annotation_v1_annotations__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/annotations/{id}/to-dataset-item": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make Dataset Item
         * @description Make a dataset item from the input (of the root span, or the run's item) and the correction.
         */
        post: operations["make_dataset_item_v1_annotations__id__to_dataset_item_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/calibration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Calibration
         * @description How well a judge agrees with people, and its mean corrected by them.
         */
        get: operations["get_calibration_v1_calibration_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Conversations
         * @description Conversations, newest first, each with its first words and the lowest number that each scorer gave in it.
         *
         *     A conversation is the traces that name it as `gen_ai.conversation.id`, or as `session.id` where they name none.
         *     `q` leaves those of which one turn's root span holds every word of it, as in `GET /v1/traces`.
         */
        get: operations["list_conversations_v1_conversations_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Conversation
         * @description One conversation: what its traces add up to.
         */
        get: operations["get_conversation_v1_conversations__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/conversations/{id}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Turns
         * @description The traces of a conversation in the order in which they began, with the input and output of their roots.
         *
         *     Each has the scores of its spans with their reasons, and the errors of its spans.
         */
        get: operations["list_turns_v1_conversations__id__turns_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Datasets
         * @description A project's datasets, newest first; with `q`, those whose name has this text in it.
         */
        get: operations["list_datasets_v1_datasets_get"];
        put?: never;
        /**
         * Create Dataset
         * @description Make a dataset. It starts at version 1, without items.
         */
        post: operations["create_dataset_v1_datasets_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Dataset
         * @description One dataset, without its items.
         */
        get: operations["get_dataset_v1_datasets__id__get"];
        put?: never;
        post?: never;
        /**
         * Delete Dataset
         * @description Delete a dataset with its items. Experiments, runs and scores stay, unless `cascade` says otherwise.
         */
        delete: operations["delete_dataset_v1_datasets__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Items
         * @description The items of the newest version, or as they were at `version`, newest first.
         *
         *     With `q`, the items of which key, input, expected output or metadata has this text in it are looked for, so many
         *     items per page: such a page may be short, or empty, with a `next_cursor` all the same.
         */
        get: operations["list_items_v1_datasets__id__items_get"];
        /**
         * Sync Items
         * @description Make the dataset contain exactly these items, as one new version; none if nothing changed.
         */
        put: operations["sync_items_v1_datasets__id__items_put"];
        /**
         * Add Item
         * @description Add one item; this makes a new version.
         */
        post: operations["add_item_v1_datasets__id__items_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Item
         * @description One item, also one that has left the newest version.
         */
        get: operations["get_item_v1_datasets__id__items__item_id__get"];
        /**
         * Change Item
         * @description Replace an item's content, as a new version: the answer is a new item with an id of its own.
         *
         *     Experiments that are pinned to an older version keep the old one. Without `key` the new item keeps the old one's
         *     key. With the same content nothing changes, and the answer is the old item.
         */
        put: operations["change_item_v1_datasets__id__items__item_id__put"];
        post?: never;
        /**
         * Delete Item
         * @description Remove an item from the newest version on.
         */
        delete: operations["delete_item_v1_datasets__id__items__item_id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/items/{item_id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Item Runs
         * @description The runs on an item with their scores, over all experiments, newest first.
         */
        get: operations["list_item_runs_v1_datasets__id__items__item_id__runs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/items/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Items
         * @description The items of a version as NDJSON, oldest first: what `import` reads, with the item's id beside it.
         */
        get: operations["export_items_v1_datasets__id__items_export_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/items/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import Items
         * @description Import items from NDJSON or CSV of any length. Bad lines are skipped and reported.
         *
         *     The first line of CSV names the columns: `input`, and as wanted `expected_output`, `key` (or `id`) and `metadata` (a
         *     JSON object). All other columns become keys of the metadata. Cells are text; an empty one is as absent.
         */
        post: operations["import_items_v1_datasets__id__items_import_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/quality": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Quality
         * @description How hard each item is and how well it separates experiments, over all experiments on the dataset.
         */
        get: operations["get_quality_v1_datasets__id__quality_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/datasets/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Versions
         * @description The versions of a dataset with what changed in each, newest first.
         */
        get: operations["list_versions_v1_datasets__id__versions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream Events
         * @description Tells within about a second what kinds of things have changed in a project, as server-sent events.
         *
         *     The first event is `ready`. Then `changed` comes for each kind (`trace`, `run`, `experiment`, `job`, `review`,
         *     `dataset`, `iteration`) of which something is new, changed or gone. However much has changed since the event before,
         *     it is one event; what has changed is asked of the lists.
         *
         *     A stream that begins with the `id` of an event of an earlier one, of this server or of another one on the same
         *     database, leaves out nothing that was committed meanwhile. `reset` in place of `ready` says that this `id` is not
         *     known, so that everything is to be asked anew. A comment comes every 15 seconds. `end` says why the stream ends: the
         *     key was revoked or has expired, or the server is stopping. At most 100 streams per key and 500 per server: 429.
         */
        get: operations["stream_events_v1_events_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Experiments
         * @description A project's experiments, newest first.
         *
         *     `q` leaves those whose name has this text in it. Any parameter `metadata.KEY=VALUE` leaves those with that
         *     metadata, compared as text (`42`, `true`, `null`); KEY may be a path such as `gnomon.git.commit`. For both,
         *     experiments are looked through, so many per page: such a page may be short, or empty, with a `next_cursor` all the
         *     same.
         */
        get: operations["list_experiments_v1_experiments_get"];
        put?: never;
        /**
         * Create Experiment
         * @description Make an experiment on a dataset as it is now.
         */
        post: operations["create_experiment_v1_experiments_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Experiment
         * @description One experiment.
         */
        get: operations["get_experiment_v1_experiments__id__get"];
        put?: never;
        post?: never;
        /**
         * Delete Experiment
         * @description Delete an experiment with its runs, their scores, its jobs and its gates. Traces of its runs stay.
         */
        delete: operations["delete_experiment_v1_experiments__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/compare/{other}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Comparison
         * @description `id` is the base; deltas are `other` − `id`. The strongest evidence of regression comes first.
         */
        get: operations["get_comparison_v1_experiments__id__compare__other__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/compare/{other}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Compared Items
         * @description One scorer in two experiments, item by item, with both outputs.
         *
         *     Items without a delta come after those with one. With `q`, the items of which input, expected output or some
         *     output has this text in it are looked for, so many per page: such a page may be short, or empty, with a
         *     `next_cursor` all the same.
         */
        get: operations["list_compared_items_v1_experiments__id__compare__other__items_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/compare/{other}/points": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Points
         * @description One scorer in two experiments: both scores of every item as columns, for a plot; the first 5,000 items.
         */
        get: operations["get_points_v1_experiments__id__compare__other__points_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete Experiment
         * @description Take no more runs. Scores may still be attached.
         *
         *     With `stopping`, the evaluation could end before all of its items were run: all intervals of the experiment are
         *     then those that hold at every look, and flagged.
         */
        post: operations["complete_experiment_v1_experiments__id__complete_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/histogram": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Histogram
         * @description How one scorer's scores are distributed, and how many runs have none, by reason.
         */
        get: operations["get_histogram_v1_experiments__id__histogram_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold Experiment
         * @description Hold an experiment for some seconds, so that no other process evaluates into it; 0 seconds release it.
         *
         *     While another holder's time has not run out: 409 `HELD`, unless `instead_of` names that holder.
         */
        post: operations["hold_experiment_v1_experiments__id__hold_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Put Metrics
         * @description Replace the metrics of the whole experiment that are not means of scores, whatever its status.
         */
        put: operations["put_metrics_v1_experiments__id__metrics_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Runs
         * @description Runs with their scores and the item's input and expected output.
         *
         *     `min`, `max`, `state`, `reason`, `label` and sort by score are about `scorer_name`. `state`, `reason` and `label`
         *     mean the same as in the summary. With `q`, the runs of which input, output or expected output has this text in it
         *     are looked for, so many runs per page: such a page may be short, or empty, with a `next_cursor` all the same.
         */
        get: operations["list_runs_v1_experiments__id__runs_get"];
        put?: never;
        /**
         * Add Runs
         * @description Store a batch of runs with their inline scores, all of it or nothing.
         *
         *     With `replace_failed`, a run replaces the one of the same item and trial if that ended in an error, also in a
         *     completed experiment. The run keeps its id and counts one more of its `attempts`; its former scores and scoring
         *     states are deleted. A run that has an output is not replaced: 409, as without `replace_failed`.
         */
        post: operations["add_runs_v1_experiments__id__runs_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Score Experiment
         * @description Run built-in scorers over the runs, as a job.
         */
        post: operations["score_experiment_v1_experiments__id__score_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Summary
         * @description Every scorer: mean with interval, pass@k, what is missing and why.
         */
        get: operations["get_summary_v1_experiments__id__summary_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/threshold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Threshold
         * @description Check one metric of one scorer against a threshold, as the POST does, but store nothing.
         */
        get: operations["get_threshold_v1_experiments__id__threshold_get"];
        put?: never;
        /**
         * Post Threshold
         * @description Check one metric of one scorer against a threshold, and store the result.
         */
        post: operations["post_threshold_v1_experiments__id__threshold_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/thresholds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Thresholds
         * @description The results that POST stored, newest first.
         */
        get: operations["list_thresholds_v1_experiments__id__thresholds_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/experiments/{id}/variance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Variance
         * @description The variance between items, within items and of the judge; with `against`, also of the items' differences.
         */
        get: operations["get_variance_v1_experiments__id__variance_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/integrity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Integrity
         * @description How far each role's claims agree with the facts, by one rubric version: the last pushed of the default profile.
         *
         *     `rubric_versions` has all that are stored; name one with `rubric_version`.
         */
        get: operations["get_integrity_v1_integrity_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/iterations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Iterations
         * @description A project's iterations, the highest number first; where several have it, the last stored first.
         */
        get: operations["list_iterations_v1_iterations_get"];
        put?: never;
        /**
         * Push Iterations
         * @description Keep scored iterations, all of them or none; 201 when some are new.
         *
         *     An iteration is known by its project, source, number and rubric version. Pushing it again updates it.
         */
        post: operations["push_iterations_v1_iterations_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/iterations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Iteration
         * @description One iteration: its score, the rows that explain it, and claims against facts.
         */
        get: operations["get_iteration_v1_iterations__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/iterations/{id}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Iteration Context
         * @description The context of one iteration: the ones before and after it, its session, other rubrics, its traces.
         */
        get: operations["get_iteration_context_v1_iterations__id__context_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/iterations/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare Iterations
         * @description Two groups of iterations, scorer by scorer: the difference of their means, unpaired, with a verdict.
         *
         *     Sessions or tasks are what varies. Both groups are of one rubric version, and provisional iterations are left out
         *     and counted.
         */
        get: operations["compare_iterations_v1_iterations_compare_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/iterations/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Iteration Facets
         * @description What iterations can be filtered and compared by: sources, rubric versions, sessions, agents, models, labels.
         */
        get: operations["get_iteration_facets_v1_iterations_facets_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/iterations/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Iteration Summary
         * @description Every scorer of a group of iterations: mean with interval, what is missing and why.
         *
         *     The group is of one rubric version, and provisional iterations are left out and counted.
         */
        get: operations["get_iteration_summary_v1_iterations_summary_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/iterations/threshold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Try Iteration Threshold
         * @description Check one metric of a group of iterations against a threshold, as for an experiment. Nothing is stored.
         */
        get: operations["try_iteration_threshold_v1_iterations_threshold_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/iterations/trend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Iteration Trend
         * @description Values over time: the newest iterations of one source by one rubric version in brief, with their sessions.
         *
         *     They are the source and the rubric version that are asked for, else those last pushed, the default profile first.
         *     Each iteration says what its value stands on, and which signal kept it down most.
         */
        get: operations["get_iteration_trend_v1_iterations_trend_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Jobs
         * @description A project's jobs, newest first.
         */
        get: operations["list_jobs_v1_jobs_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Job
         * @description One job, with its progress and, if it failed, the reason.
         */
        get: operations["get_job_v1_jobs__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Job
         * @description Stop an open job; what it has stored stays.
         */
        post: operations["cancel_job_v1_jobs__id__cancel_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry Job
         * @description Queue a failed or cancelled job again; it goes on where it stopped.
         */
        post: operations["retry_job_v1_jobs__id__retry_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Jobs Summary
         * @description How many jobs a project has by status and kind, and what they cost.
         */
        get: operations["get_jobs_summary_v1_jobs_summary_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Judges
         * @description The judges that have scores, the last used first, with their agreement with people, failures and cost.
         */
        get: operations["list_judges_v1_judges_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judges/{scorer_name}/card": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Card
         * @description How far a judge can be trusted: failures, repeats, length, its own family, people, cost, the newest probe.
         */
        get: operations["get_card_v1_judges__scorer_name__card_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judges/{scorer_name}/probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Probe Judge
         * @description Ask the judge on purpose, as a job: the same twice, with its labels turned, with a plea in the output.
         */
        post: operations["probe_judge_v1_judges__scorer_name__probe_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judges/{scorer_name}/probe-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Probe Plan
         * @description What a probe of the judge would take: calls, tokens and US dollars, as far as they are known.
         */
        get: operations["get_probe_plan_v1_judges__scorer_name__probe_plan_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/judges/{scorer_name}/to-label": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get To Label
         * @description Which targets people should label next, and how many until the corrected mean is as sure as wanted.
         */
        get: operations["get_to_label_v1_judges__scorer_name__to_label_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Keys
         * @description Keys without their secrets, newest first.
         */
        get: operations["list_keys_v1_keys_get"];
        put?: never;
        /**
         * Create Key
         * @description The answer shows the secret, once.
         */
        post: operations["create_key_v1_keys_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke Key
         * @description Revoke a key.
         */
        delete: operations["revoke_key_v1_keys__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Leaderboard
         * @description Agents over one dataset by one scorer, an agent being an experiment's `metadata.agent`, else its name.
         */
        get: operations["get_leaderboard_v1_leaderboard_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leaderboard/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Leaderboard Page
         * @description The leaderboard as one file of HTML that fetches nothing, to be kept, mailed or put on any web server.
         */
        get: operations["get_leaderboard_page_v1_leaderboard_page_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive Otlp Logs
         * @description The standard OTLP/HTTP path for log records: evaluation results become scores of their spans, prompts and
         *     completions join their spans. Other records are counted in `partial_success` as not taken.
         */
        post: operations["receive_otlp_logs_v1_logs_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outcomes/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Outcomes Page
         * @description Values over time, sessions and honesty as one page of HTML that fetches nothing.
         *
         *     It shows one source by one rubric version: those that are asked for, else those last stored.
         */
        get: operations["get_outcomes_page_v1_outcomes_page_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playground": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run Playground
         * @description Ask one to four prompts with their models about some items, as a job that stores an experiment of each.
         *
         *     Models are asked by a worker, with the keys and addresses of the server's environment. Every answer is a run of its
         *     candidate's experiment as soon as it is there, with its scores and a trace. Within the project's budget: when that
         *     is spent the job fails with the reason, and goes on where it stopped when it is retried.
         */
        post: operations["run_playground_v1_playground_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playground/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Models
         * @description Which models this server may ask, by provider, and why not others. Keys and addresses are never told.
         */
        get: operations["list_models_v1_playground_models_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/playground/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview Playground
         * @description What a playground run would take, by candidate and judge: nothing is stored, no model is asked.
         */
        post: operations["preview_playground_v1_playground_preview_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Projects
         * @description Newest first. A key that is bound to a project sees that one only.
         */
        get: operations["list_projects_v1_projects_get"];
        put?: never;
        /**
         * Create Project
         * @description Make a project. Needs a key that is bound to none.
         */
        post: operations["create_project_v1_projects_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Project
         * @description One project.
         */
        get: operations["get_project_v1_projects__id__get"];
        put?: never;
        post?: never;
        /**
         * Delete Project
         * @description Delete a project with everything in it: traces, datasets, experiments, iterations, settings and its keys.
         *
         *     It is gone at once; what is large leaves the database in batches, the last of them by a worker.
         */
        delete: operations["delete_project_v1_projects__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Budget
         * @description What judges may spend in a day, and what they have spent today.
         */
        get: operations["get_budget_v1_projects__id__budget_get"];
        /**
         * Put Budget
         * @description Set what judges may spend in a day; a limit that is left out means no limit.
         */
        put: operations["put_budget_v1_projects__id__budget_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/contents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Project Contents
         * @description How much the project holds: what is deleted with it.
         */
        get: operations["get_project_contents_v1_projects__id__contents_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/dashboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Dashboard
         * @description A project's front page: traces of a window, experiments, the last completed one, queue, datasets, drift.
         */
        get: operations["get_dashboard_v1_projects__id__dashboard_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Drift
         * @description Has the mean of an online scorer on spans moved since a reference window? False alarms: 5 % over all looks.
         */
        get: operations["get_drift_v1_projects__id__drift_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/metadata-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Metadata Keys
         * @description The keys of metadata that the project has an index of, so that filtering traces by them is quick.
         */
        get: operations["get_metadata_keys_v1_projects__id__metadata_keys_get"];
        /**
         * Put Metadata Keys
         * @description Declare which keys of metadata to index, beside those that every project has. Stored spans are indexed by a
         *     job; until it is done a filter by a new key looks through spans.
         */
        put: operations["put_metadata_keys_v1_projects__id__metadata_keys_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/prices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Prices
         * @description The project's own prices of models. Other models have the price of LiteLLM's price table.
         */
        get: operations["get_prices_v1_projects__id__prices_get"];
        /**
         * Put Prices
         * @description Replace the project's own prices of models; a model that is left out loses its price.
         */
        put: operations["put_prices_v1_projects__id__prices_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Retention
         * @description How long the project keeps its traces.
         */
        get: operations["get_retention_v1_projects__id__retention_get"];
        /**
         * Put Retention
         * @description Set how long the project keeps its traces; without `retention_days`, for ever.
         *
         *     A worker deletes older ones soon after, and every hour from then on. Traces that runs, dataset items, annotations,
         *     people's scores or the review queue refer to stay.
         */
        put: operations["put_retention_v1_projects__id__retention_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/review-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Review Settings
         * @description A project's label set, how many reviews a card needs, and whether reviewers see each other's.
         */
        get: operations["get_review_settings_v1_projects__id__review_settings_get"];
        /**
         * Put Review Settings
         * @description Set them; what is left out gets its default. Scores that are stored already stay as they are.
         */
        put: operations["put_review_settings_v1_projects__id__review_settings_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Project Summary
         * @description Traces of the last day and week, experiments by status, and the review queue.
         */
        get: operations["get_project_summary_v1_projects__id__summary_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/text-search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Text Search
         * @description Whether the project's root spans can be searched by their words.
         */
        get: operations["get_text_search_v1_projects__id__text_search_get"];
        /**
         * Put Text Search
         * @description Switch the text search of a project on or off. A job indexes the traces that are there, or empties the index.
         */
        put: operations["put_text_search_v1_projects__id__text_search_put"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/trends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Trends
         * @description Completed experiments with mean and interval per scorer, oldest first: the same figures as in their summaries.
         */
        get: operations["list_trends_v1_projects__id__trends_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/trends/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Score Trends
         * @description Mean scores of spans by hour or day, with intervals. At most 1,000 buckets.
         */
        get: operations["get_score_trends_v1_projects__id__trends_scores_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{id}/trends/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Trace Trends
         * @description Traces per hour or day: how many, errors, duration and cost, with intervals. At most 1,000 buckets.
         */
        get: operations["get_trace_trends_v1_projects__id__trends_traces_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Queue
         * @description Cards of the queue, the longest waiting first; question and answer are cut at 2 KB.
         *
         *     A card is pending until `reviews_wanted` different people have annotated it. `q` leaves those whose root span holds
         *     this text in its name, input or output, or whose run in what was asked and answered. Cards are looked through for
         *     it, so many per page: such a page may be short, or empty, with a `next_cursor` all the same.
         */
        get: operations["list_queue_v1_queue_get"];
        put?: never;
        /**
         * Enqueue Targets
         * @description Put up to 1,000 traces, runs and spans in the review queue, all of them or none. Of a span its trace waits.
         */
        post: operations["enqueue_targets_v1_queue_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/{target_type}/{target_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Card
         * @description One card in full, with annotations and scores.
         *
         *     Whoever reviews sees what judges scored, and in a blind project what others said, only after their own annotation:
         *     a key of the role reviewer always, other keys when they name the `annotator`.
         */
        get: operations["get_card_v1_queue__target_type___target_id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/{target_type}/{target_id}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim Card
         * @description Hold a card for ten minutes, or for ten more. While somebody else holds it: 409 `CLAIMED`, with who and until.
         */
        post: operations["claim_card_v1_queue__target_type___target_id__claim_post"];
        /**
         * Release Card
         * @description Give a card back before the ten minutes are over.
         */
        delete: operations["release_card_v1_queue__target_type___target_id__claim_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count Queue
         * @description How many cards are pending and annotated, and how many of them the reviewer has done.
         */
        get: operations["count_queue_v1_queue_counts_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/queue/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Next Card
         * @description The next card that the reviewer has not annotated and nobody else holds; null at the end of the queue.
         */
        get: operations["next_card_v1_queue_next_get"];
        put?: never;
        /**
         * Claim Next Card
         * @description Choose the next card and hold it for ten minutes, in one step; null at the end of the queue.
         */
        post: operations["claim_next_card_v1_queue_next_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/review-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Review Link
         * @description A link for a reviewer: it logs one browser in, once, and gives access to the review queue only.
         *
         *     It makes a key of the role `reviewer`, which is among the project's keys: to revoke it ends the session too.
         */
        post: operations["create_review_link_v1_review_links_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/review/agreement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Agreement
         * @description Whether reviewers agree: Krippendorff's α of labels and of numbers, pair by pair, and where they differ most.
         */
        get: operations["get_agreement_v1_review_agreement_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Rules
         * @description A project's rules, newest first.
         */
        get: operations["list_rules_v1_rules_get"];
        put?: never;
        /**
         * Create Rule
         * @description Score new spans that match, all of them or a sample.
         */
        post: operations["create_rule_v1_rules_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Rule
         * @description One rule.
         */
        get: operations["get_rule_v1_rules__id__get"];
        put?: never;
        post?: never;
        /**
         * Delete Rule
         * @description Delete a rule. Its scores stay, and spans that it matched before are still scored.
         */
        delete: operations["delete_rule_v1_rules__id__delete"];
        options?: never;
        head?: never;
        /**
         * Change Rule
         * @description Switch a rule on or off, rename it, or sample more or less. It holds for spans that come in from now on.
         */
        patch: operations["change_rule_v1_rules__id__patch"];
        trace?: never;
    };
    "/v1/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Run
         * @description One run with its scores, and its state for each other scorer of the experiment.
         */
        get: operations["get_run_v1_runs__id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enqueue Run
         * @description Put a run of an experiment in the review queue. If it is there already, it keeps its place and its reason.
         */
        post: operations["enqueue_run_v1_runs__id__queue_post"];
        /**
         * Dequeue Run
         * @description Take a run out of the review queue. Its annotations stay.
         */
        delete: operations["dequeue_run_v1_runs__id__queue_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runs/{id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Run Transcript
         * @description What the agent received, said and did in a run, read from its trace.
         *
         *     For a run that `gnomon bench push` sent, also its metrics, and for each claim of its score the place in the
         *     transcript where it is to be seen. Long texts are cut; the trace has them whole.
         */
        get: operations["get_run_transcript_v1_runs__id__transcript_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scorers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Scorers
         * @description The scorers that have scores in a project, by name.
         */
        get: operations["list_scorers_v1_scorers_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Scores
         * @description The scores of one target, newest first. Without `target_type`, of any target with that id.
         */
        get: operations["list_scores_v1_scores_get"];
        put?: never;
        /**
         * Attach Score
         * @description Store the given value, or let a built-in scorer compute one.
         *
         *     A draft has one of `value`, `absent` and `failed`, or none of them. `absent` and `failed` are reasons: no score is
         *     stored but a scoring state with that reason (200 `null`, as for a built-in that has nothing to score).
         *
         *     `llm_judge` works in both ways. Caller-executed: the caller asks a model and sends the result as `value`, which is
         *     kept as it is (201). Platform-executed: without a `value` this server asks the model that `config.model` names, and
         *     answers 202 with a job to watch at `/v1/jobs/{id}`. There is no default model: `config.model` is required. It is
         *     `provider/model`, such as `openai/gpt-4o`, of a provider whose key the server has or that `GNOMON_JUDGE_PROVIDERS`
         *     lists; a name without a provider goes to the server at `OPENAI_BASE_URL` where that is set, else to the provider
         *     whose model it names. Any other model is refused with 400.
         *
         *     `rubric` is asked by the platform in the same way. Its `config` has the `model` and the `rubric` itself as an
         *     object; one job writes the score of the whole under `scorer_name` and one score per dimension under
         *     `scorer_name.DIMENSION`, all of them or none. The job's `score_id` is the score of the whole.
         */
        post: operations["attach_score_v1_scores_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scores/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach Scores
         * @description Up to 1000 scores, all of them or none.
         */
        post: operations["attach_scores_v1_scores_batch_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scoring-states": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List States
         * @description Why a target, or the runs of an experiment, have no score.
         */
        get: operations["list_states_v1_scoring_states_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Session
         * @description Who is calling, with a key or with a session: role, project, key, and when the session ends.
         */
        get: operations["get_session_v1_session_get"];
        put?: never;
        /**
         * Log In
         * @description Begin a session with a key, with the code of a login link, or with the token of a share.
         *
         *     The answer sets its cookie. That of a share is a cookie of its own, which counts in requests that name the share's
         *     id in the header `X-Gnomon-Share`.
         *
         *     After ten failures from an address within a minute: 429.
         */
        post: operations["log_in_v1_session_post"];
        /**
         * Log Out
         * @description End the session that the call came with.
         */
        delete: operations["log_out_v1_session_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/session/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Login Code
         * @description A code for a login link, `/login#code=…`: the first browser to open it is logged in with this key.
         *
         *     It works once and for ten minutes. A session cannot make one: it would outlive itself.
         */
        post: operations["create_login_code_v1_session_codes_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Sessions
         * @description The mean of each session with its interval, the newest session first.
         *
         *     Rubric versions are never mixed: a session that was scored by two of them is there twice. Iterations that name no
         *     session are in none.
         */
        get: operations["list_sessions_v1_sessions_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Shares
         * @description Links that work still, without their tokens, newest first.
         */
        get: operations["list_shares_v1_shares_get"];
        put?: never;
        /**
         * Create Share
         * @description A read-only link to one view, for people without a key: a comparison, an experiment, a trace, an iteration, a
         *     leaderboard.
         *
         *     It shows that view of those objects and nothing else, until it expires, is revoked, or an object is deleted.
         */
        post: operations["create_share_v1_shares_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shares/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke Share
         * @description Revoke a share: whoever has its link open sees nothing more.
         */
        delete: operations["revoke_share_v1_shares__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Traces
         * @description Traces without their spans, newest first unless `sort` says otherwise.
         *
         *     Any parameter `metadata.KEY=VALUE` leaves the traces of which some span has that metadata,
         *     compared as text (`42`, `true`, `null`). Keys that the project has an index of (`session.id`, `user.id`,
         *     `gen_ai.conversation.id` and those that it declares) are looked up. For other keys spans are looked through,
         *     and scores for `scorer_name`, so many per page: such a page may be short, or empty, with a `next_cursor` all the
         *     same.
         *
         *     `q` leaves the traces whose root span holds every word of it: in its name, or in the first 4,096 characters of its
         *     input's or output's JSON text. A word is letters and digits; upper and lower case are the same; `word*` stands for
         *     every word that begins so. `min` and `max` bound the scores that `scorer_name` asks for.
         */
        get: operations["list_traces_v1_traces_get"];
        put?: never;
        /**
         * Receive Otlp Traces
         * @description The standard OTLP/HTTP path for spans, as protobuf or JSON, plain or as gzip.
         *
         *     A span that is stored already is accepted again and changes nothing. What cannot be stored is counted in
         *     `partial_success` with the reasons; the rest is stored.
         */
        post: operations["receive_otlp_traces_v1_traces_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Trace
         * @description One trace with its spans, by start time. With `spans=skeleton` a `TraceSkeleton`: a tenth of the size or less.
         */
        get: operations["get_trace_v1_traces__id__get"];
        put?: never;
        post?: never;
        /**
         * Delete Trace
         * @description Delete a trace with its spans, their scores, its annotations and its place in the queue.
         */
        delete: operations["delete_trace_v1_traces__id__delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/{id}/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find Spans
         * @description The spans of a trace whose name, model, input or output holds this text, as a part of it.
         */
        get: operations["find_spans_v1_traces__id__find_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/{id}/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enqueue Trace
         * @description Put a trace in the review queue. If it is there already, it keeps its place and its reason.
         */
        post: operations["enqueue_trace_v1_traces__id__queue_post"];
        /**
         * Dequeue Trace
         * @description Take a trace out of the review queue. Its annotations stay.
         */
        delete: operations["dequeue_trace_v1_traces__id__queue_delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/{id}/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Trace Scores
         * @description The scores of all spans of a trace, and why others have none.
         */
        get: operations["get_trace_scores_v1_traces__id__scores_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/{id}/spans/{span_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Span
         * @description One span of a trace, whole unless `max_bytes` cuts it.
         */
        get: operations["get_span_v1_traces__id__spans__span_id__get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Trace Facets
         * @description Counts for filters: errors, queued traces, models, metadata. Takes the filters of `GET /v1/traces`.
         *
         *     Counted over the newest 10,000 traces of the filter; `total_capped` says when there are more. Metadata is that of
         *     root spans, so that a filter by one of the values may find more traces, by other spans of theirs.
         */
        get: operations["get_trace_facets_v1_traces_facets_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ingest Spans
         * @description Store a batch of spans, all of it or nothing.
         */
        post: operations["ingest_spans_v1_traces_ingest_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traces/score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Score Spans
         * @description Run built-in scorers over spans that are there already, as a job.
         */
        post: operations["score_spans_v1_traces_score_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/words": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Words
         * @description Plain words for the codes in answers: methods of intervals, flags, verdicts, decisions, reasons of absence.
         */
        get: operations["get_words_v1_words_get"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AbsenceReason
         * @description Why there is no score: reasons that begin with `prefix` mean this, and this helps.
         */
        AbsenceReason: {
            /** Meaning */
            meaning: string;
            /** Prefix */
            prefix: string;
            /** Remedy */
            remedy: string;
        };
        /**
         * ActionShare
         * @description How often an agent does something at least once in a run. Every scenario counts the same.
         */
        ActionShare: {
            /**
             * Ci Method
             * @description How the interval was made
             */
            ci_method: string;
            /**
             * Confidence Interval 95
             * @description Of the mean
             */
            confidence_interval_95: [
                number,
                number
            ];
            /**
             * Count
             * @description Runs in which it does
             */
            count: number;
            /**
             * Flags
             * @description What a reader should know before trusting it
             */
            flags?: string[];
            /**
             * Mean
             * @description Mean over the runs
             */
            mean: number;
            /**
             * Run Count
             * @description Number of runs
             */
            run_count: number;
            /**
             * Standard Deviation
             * @description Of the sample; null for a single run
             */
            standard_deviation: number | null;
        };
        /**
         * AgentExperiment
         * @description An experiment that an agent's trials come from.
         */
        AgentExperiment: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Run Count */
            run_count: number;
        };
        /** Annotation */
        Annotation: {
            /** Annotator */
            annotator: string;
            /** Correction */
            correction: unknown;
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Id */
            id: string;
            /** Label */
            label: string | null;
            /**
             * No Score
             * @description In the answer that stored it: why it gave no score
             */
            no_score?: string | null;
            /** Notes */
            notes: string | null;
            /** Project Id */
            project_id: string;
            /** Run Id */
            run_id?: string | null;
            /**
             * Score Ids
             * @description Those of these scores
             * @default []
             */
            score_ids: string[];
            /**
             * Scores
             * @default []
             */
            scores: components["schemas"]["AnnotationScore"][];
            /** Span Id */
            span_id: string | null;
            /** Trace Id */
            trace_id: string | null;
            /**
             * Updated At
             * @description When it was corrected last
             */
            updated_at?: string | null;
        };
        /**
         * AnnotationScore
         * @description A score of an annotation. A later annotation by the same person of the same target replaces it.
         */
        AnnotationScore: {
            /** Label */
            label: string | null;
            /** Rationale */
            rationale: string | null;
            /** Score Id */
            score_id: string;
            /** Scorer Name */
            scorer_name: string;
            /** Value */
            value: number | null;
        };
        /**
         * AnnotationScoreDraft
         * @description A score that comes with an annotation: a number, or a label.
         */
        AnnotationScoreDraft: {
            /** Label */
            label?: string | null;
            /** Rationale */
            rationale?: string | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Value
             * @description A number in [0, 1]; divide by your scale first
             */
            value?: number | null;
        };
        /**
         * AskableModels
         * @description Which models this server may ask. Keys and addresses are never told.
         */
        AskableModels: {
            /**
             * Cannot Ask
             * @description Why that one cannot be asked; null when it can, or none was named
             */
            cannot_ask: string | null;
            /**
             * Model
             * @description The name that the request asks about
             */
            model: string | null;
            /**
             * Providers
             * @description Those that can be asked first
             */
            providers: components["schemas"]["AskableProvider"][];
            /**
             * Used
             * @description Models that this project asked today or set a price for, and that can be asked
             */
            used: string[];
        };
        /**
         * AskableProvider
         * @description A provider of models, and whether this server may ask it.
         */
        AskableProvider: {
            /** Can Ask */
            can_ask: boolean;
            /**
             * Models
             * @description Names that have a price in the shipped table; others may be asked too
             */
            models: string[];
            /** Provider */
            provider: string;
            /**
             * Reason
             * @description Why not, with the remedy; null when it can
             */
            reason: string | null;
        };
        /** BaseRate */
        BaseRate: {
            /** Human */
            human: number;
            /** Human Ci 95 */
            human_ci_95: [
                number,
                number
            ];
            /**
             * Judge
             * @description The share of targets that the judge rated so
             */
            judge: number;
            /** Judge Ci 95 */
            judge_ci_95: [
                number,
                number
            ];
            /** Rating */
            rating: string;
        };
        /** Budget */
        Budget: {
            /**
             * By Model
             * @description Today's spending, the dearest first
             */
            by_model: components["schemas"]["ModelSpending"][];
            /**
             * Day
             * @description Today in UTC; at midnight spending starts again at 0
             */
            day: string;
            /**
             * Left Tokens
             * @description Null without a limit
             */
            left_tokens: number | null;
            /**
             * Left Usd
             * @description Null without a limit
             */
            left_usd: number | null;
            /** Project Id */
            project_id: string;
            /** Spent Tokens */
            spent_tokens: number;
            /** Spent Usd */
            spent_usd: number;
            /** Tokens Per Day */
            tokens_per_day: number | null;
            /** Usd Per Day */
            usd_per_day: number | null;
        };
        /**
         * Calibration
         * @description Agreement is over the targets that both rated; the judge's mean is over all that the judge rated.
         */
        Calibration: {
            accuracy: components["schemas"]["Estimate"];
            /**
             * Base Rates
             * @description Over the labelled; null for numbers
             */
            base_rates: components["schemas"]["BaseRate"][] | null;
            /** @description Mean of judge − human over the labelled */
            bias: components["schemas"]["Estimate"];
            cohen_kappa: components["schemas"]["Estimate"];
            /**
             * Config Hash
             * @description The judge's configuration, when one was asked for
             */
            config_hash: string | null;
            confusion: components["schemas"]["ConfusionTable"] | null;
            /** @description Double sampling's for binary, else PPI++'s */
            corrected_mean: components["schemas"]["Estimate"];
            /** Flags */
            flags: string[];
            gwet_ac1: components["schemas"]["Estimate"];
            /** Human */
            human: string;
            /** @description Over the labelled */
            human_mean: components["schemas"]["Estimate"];
            /** Judge */
            judge: string;
            /** @description Raw, over all targets that the judge rated */
            judge_mean: components["schemas"]["Estimate"];
            /** @description Nominal for binary and labels, ordinal for grades, else interval */
            krippendorff_alpha: components["schemas"]["Estimate"];
            /** N Human Only */
            n_human_only: number;
            /** N Judge Only */
            n_judge_only: number;
            /**
             * N Labelled
             * @description Targets that both rated
             */
            n_labelled: number;
            /**
             * Notes
             * @description The flags, and what else a reader should know, in words
             */
            notes: string[];
            /** @description The judge's mean corrected by PPI++ */
            prediction_powered_mean: components["schemas"]["Estimate"];
            /** @description The judge's mean corrected by Rogan–Gladen, rates from all targets (double sampling); binary only */
            rogan_gladen_mean: components["schemas"]["Estimate"];
            /**
             * Scale
             * @description grades: at most 20 different numbers
             * @enum {string}
             */
            scale: "binary" | "grades" | "numbers" | "labels";
            spearman_rho: components["schemas"]["Estimate"];
            weighted_kappa_linear: components["schemas"]["Estimate"];
            weighted_kappa_quadratic: components["schemas"]["Estimate"];
        };
        /**
         * CandidateDraft
         * @description A prompt with the model that is to answer it.
         */
        CandidateDraft: {
            /** Messages */
            messages: components["schemas"]["PromptMessage"][];
            /**
             * Model
             * @description As in openai/gpt-4o; never an address
             */
            model: string;
            /**
             * Name
             * @description Of its experiment; made of `name` and the model unless said
             */
            name?: string | null;
            /**
             * Params
             * @description Settings of the answer, such as `temperature` and `max_tokens`
             */
            params?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * CandidatePreview
         * @description What one candidate would take.
         */
        CandidatePreview: {
            /**
             * Calls
             * @description One per item and trial
             */
            calls: number;
            /**
             * Cannot Ask
             * @description Why this server cannot ask the model; null when it can
             */
            cannot_ask: string | null;
            /**
             * Cost Usd Estimate
             * @description Null when nothing says what the model costs
             */
            cost_usd_estimate: number | null;
            /** Model */
            model: string;
            /** Tokens Input Estimate */
            tokens_input_estimate: number;
            /**
             * Tokens Output Estimate
             * @description By `max_tokens`, or by an assumption that `notes` states
             */
            tokens_output_estimate: number;
        };
        /**
         * ChangeEvent
         * @description Things of this kind are new, changed or gone; their scores and annotations are part of them.
         */
        ChangeEvent: {
            /**
             * Changes
             * @description How many commits changed something of this kind since the event before
             */
            changes: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "dataset" | "experiment" | "iteration" | "job" | "review" | "run" | "trace";
            /** Project Id */
            project_id: string;
        };
        /**
         * ComparedItem
         * @description One item in two experiments. Scores, delta and labels are those of the comparison.
         */
        ComparedItem: {
            /**
             * Base
             * @description Runs of the base by trial; the first 20
             */
            base: components["schemas"]["ComparedTrial"][];
            /**
             * Base Label
             * @description The most frequent one over the trials
             */
            base_label: string | null;
            /** Base Run Count */
            base_run_count: number;
            /**
             * Base Score
             * @description Mean over the trials
             */
            base_score: number | null;
            /**
             * Change
             * @enum {string}
             */
            change: "regressed" | "improved" | "unchanged" | "changed" | "only_base" | "only_other";
            /** Dataset Item Id */
            dataset_item_id: string;
            /**
             * Delta
             * @description other − base
             */
            delta: number | null;
            /** Expected Output */
            expected_output: unknown;
            /** Expected Output Size */
            expected_output_size: number;
            /** Expected Output Truncated */
            expected_output_truncated: boolean;
            /**
             * Input
             * @description Longer than 2,048 bytes it is cut: the beginning of its text
             */
            input: unknown;
            /**
             * Input Size
             * @description Bytes of the whole text in UTF-8: of a string itself, else of its JSON
             */
            input_size: number;
            /** Input Truncated */
            input_truncated: boolean;
            /** Other */
            other: components["schemas"]["ComparedTrial"][];
            /** Other Label */
            other_label: string | null;
            /** Other Run Count */
            other_run_count: number;
            /** Other Score */
            other_score: number | null;
        };
        /** ComparedItems */
        ComparedItems: {
            /** @description Of all items, whatever `show` and `q` leave */
            counts: components["schemas"]["ItemCounts"];
            /** Items */
            items: components["schemas"]["ComparedItem"][];
            /** Limit */
            limit: number;
            /**
             * Missing Policy
             * @enum {string}
             */
            missing_policy: "drop" | "zero" | "bracket";
            /** Next Cursor */
            next_cursor: string | null;
            /** Scorer Name */
            scorer_name: string;
        };
        /**
         * ComparedTrial
         * @description One run of an item.
         */
        ComparedTrial: {
            error: components["schemas"]["RunError"] | null;
            /**
             * Label
             * @description The newest label, where the scorer gave it one
             */
            label: string | null;
            /**
             * Output
             * @description Longer than 2,048 bytes it is cut: the beginning of its text
             */
            output: unknown;
            /**
             * Output Size
             * @description Bytes of the whole text in UTF-8: of a string itself, else of its JSON
             */
            output_size: number;
            /** Output Truncated */
            output_truncated: boolean;
            /** Run Id */
            run_id: string;
            /**
             * Score
             * @description The mean, where the scorer gave it several numbers
             */
            score: number | null;
            /** Trial */
            trial: number;
        };
        /**
         * ComparisonPoints
         * @description Every item as a point: columns of equal length, items in the order of their ids.
         */
        ComparisonPoints: {
            /**
             * Base Scores
             * @description Mean over the trials, or the most frequent label
             */
            base_scores: (number | string | null)[];
            /** Changes */
            changes: ("regressed" | "improved" | "unchanged" | "changed" | "only_base" | "only_other")[];
            counts: components["schemas"]["ItemCounts"];
            /** Dataset Item Ids */
            dataset_item_ids: string[];
            /**
             * Missing Policy
             * @enum {string}
             */
            missing_policy: "drop" | "zero" | "bracket";
            /** Other Scores */
            other_scores: (number | string | null)[];
            /** Scorer Name */
            scorer_name: string;
            /**
             * Total
             * @description Items that have a score on either side
             */
            total: number;
            /**
             * Truncated
             * @description Whether there are more than the 5,000 that are listed
             */
            truncated: boolean;
        };
        /** CompletedExperiment */
        CompletedExperiment: {
            /** Ci 95 By Scorer */
            ci_95_by_scorer: {
                [key: string]: [
                    number,
                    number
                ];
            };
            /**
             * Completed At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            completed_at: string;
            /** Id */
            id: string;
            /** Mean By Scorer */
            mean_by_scorer: {
                [key: string]: number;
            };
            /** Name */
            name: string;
        };
        /**
         * ConfusionTable
         * @description How often which rating of the judge met which of people's.
         */
        ConfusionTable: {
            /**
             * Counts
             * @description A row for each of people's ratings, a column for each of the judge's
             */
            counts: number[][];
            /** Ratings */
            ratings: string[];
        };
        /** ContributionDraft */
        ContributionDraft: {
            /**
             * Contribution
             * @default 0
             */
            contribution: number | null;
            /**
             * Detail
             * @default
             */
            detail: string | null;
            /**
             * Effective Weight
             * @default 0
             */
            effective_weight: number | null;
            /**
             * Label
             * @default
             */
            label: string | null;
            /** Nominal Weight */
            nominal_weight: number;
            /** Present */
            present: boolean;
            /**
             * Self Reported
             * @description The agent's own log says so, and no fact stands behind it
             * @default false
             */
            self_reported: boolean | null;
            /** Signal */
            signal: string;
            /**
             * Sub Score
             * @default 0
             */
            sub_score: number | null;
        };
        /** Conversation */
        Conversation: {
            /**
             * Cost Usd
             * @description Null when there is no model call, or one without a known price
             */
            cost_usd: number | null;
            /**
             * Created At
             * Format: date-time
             * @description When its first span was received
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /**
             * Error Count
             * @description Traces with an error
             */
            error_count: number;
            /**
             * First Words
             * @description What the user asked in the first turn, at most 200 characters
             */
            first_words?: string | null;
            /** Id */
            id: string;
            /**
             * Known Cost Usd
             * @description Of the model calls whose price is known
             */
            known_cost_usd: number | null;
            /** Project Id */
            project_id: string;
            /** Span Count */
            span_count: number;
            /**
             * Started At
             * @description When its first span began
             */
            started_at: string | null;
            /** Tokens */
            tokens: number;
            /** Trace Count */
            trace_count: number;
            /** Unpriced Span Count */
            unpriced_span_count: number;
            /**
             * Updated At
             * Format: date-time
             * @description When its newest span was received
             * @example 2026-02-21T22:00:00.000Z
             */
            updated_at: string;
            /**
             * User Id
             * @description `user.id` of the first turn's root span
             */
            user_id?: string | null;
            /**
             * Worst Scores
             * @description By scorer, the lowest first, at most 20 of them; labels have no order
             */
            worst_scores?: components["schemas"]["WorstScore"][];
        };
        /**
         * ConversationTurn
         * @description A trace of a conversation, with what its root span was given and gave.
         */
        ConversationTurn: {
            /**
             * Annotation Count
             * @default 0
             */
            annotation_count: number;
            /** @description The output as a person reads it, likewise */
            answer?: components["schemas"]["ReadableText"] | null;
            /** Conversation Id */
            conversation_id?: string | null;
            /**
             * Cost Usd
             * @description Of all model calls; null when there is none, or one without a known price
             */
            cost_usd?: number | null;
            /**
             * Created At
             * Format: date-time
             * @description When the first span was received
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /**
             * Duration Ms
             * @description The root span's
             */
            duration_ms: number | null;
            /**
             * Errors
             * @description The first 5 spans that failed
             */
            errors?: components["schemas"]["TurnError"][];
            /** Has Error */
            has_error: boolean;
            /** Id */
            id: string;
            /** In Queue */
            in_queue: boolean;
            /**
             * Input
             * @description Null with `content=readable`; so is the output
             */
            input: unknown;
            /**
             * Input Preview
             * @description The first 200 characters of the root span's input; only in lists of traces
             */
            input_preview?: string | null;
            /**
             * Known Cost Usd
             * @description Of the model calls whose price is known
             */
            known_cost_usd?: number | null;
            /**
             * Metadata
             * @description The root span's
             */
            metadata: {
                [key: string]: string | number | boolean | null;
            } | null;
            /**
             * Model
             * @description The root span's, or the first that any span named
             */
            model: string | null;
            /**
             * Name
             * @description The root span's
             */
            name: string | null;
            /** Output */
            output: unknown;
            /**
             * Output Preview
             * @description The first 200 characters of the root span's output; only in lists of traces
             */
            output_preview?: string | null;
            /** Project Id */
            project_id: string;
            /** @description The input as a person reads it; only with `content=readable` */
            question?: components["schemas"]["ReadableText"] | null;
            /** Root Span Id */
            root_span_id: string | null;
            /**
             * Scores
             * @description Of all spans, by scorer, at most 20 of them; only in lists of traces
             */
            scores?: components["schemas"]["TraceScorer"][] | null;
            /** Span Count */
            span_count: number;
            /**
             * Span Scores
             * @description Of all spans of the trace, the newest first, at most 20
             */
            span_scores?: components["schemas"]["Score"][];
            /**
             * Started At
             * @description When its first span began
             */
            started_at?: string | null;
            /**
             * Tokens
             * @description Input and output tokens of all spans
             */
            tokens: number;
            /**
             * Unpriced Span Count
             * @description Model calls without a known price
             * @default 0
             */
            unpriced_span_count: number;
            /**
             * Updated At
             * @description When its newest span was received
             */
            updated_at?: string | null;
        };
        /** CountedPage[Dataset] */
        CountedPage_Dataset_: {
            /** Items */
            items: components["schemas"]["Dataset"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Total
             * @description How many rows the list has; null where that would take a look at every row
             */
            total?: number | null;
            /**
             * Total Capped
             * @description Whether there may be more than `total`
             * @default false
             */
            total_capped: boolean;
        };
        /** CountedPage[DatasetItem] */
        CountedPage_DatasetItem_: {
            /** Items */
            items: components["schemas"]["DatasetItem"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Total
             * @description How many rows the list has; null where that would take a look at every row
             */
            total?: number | null;
            /**
             * Total Capped
             * @description Whether there may be more than `total`
             * @default false
             */
            total_capped: boolean;
        };
        /** CountedPage[DatasetRow] */
        CountedPage_DatasetRow_: {
            /** Items */
            items: components["schemas"]["DatasetRow"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Total
             * @description How many rows the list has; null where that would take a look at every row
             */
            total?: number | null;
            /**
             * Total Capped
             * @description Whether there may be more than `total`
             * @default false
             */
            total_capped: boolean;
        };
        /** CountedPage[ExperimentRow] */
        CountedPage_ExperimentRow_: {
            /** Items */
            items: components["schemas"]["ExperimentRow"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Total
             * @description How many rows the list has; null where that would take a look at every row
             */
            total?: number | null;
            /**
             * Total Capped
             * @description Whether there may be more than `total`
             * @default false
             */
            total_capped: boolean;
        };
        /** CountedPage[LeanItem] */
        CountedPage_LeanItem_: {
            /** Items */
            items: components["schemas"]["LeanItem"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Total
             * @description How many rows the list has; null where that would take a look at every row
             */
            total?: number | null;
            /**
             * Total Capped
             * @description Whether there may be more than `total`
             * @default false
             */
            total_capped: boolean;
        };
        /** CountedPage[LeanRun] */
        CountedPage_LeanRun_: {
            /** Items */
            items: components["schemas"]["LeanRun"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Total
             * @description How many rows the list has; null where that would take a look at every row
             */
            total?: number | null;
            /**
             * Total Capped
             * @description Whether there may be more than `total`
             * @default false
             */
            total_capped: boolean;
        };
        /** CountedPage[Run] */
        CountedPage_Run_: {
            /** Items */
            items: components["schemas"]["Run"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Total
             * @description How many rows the list has; null where that would take a look at every row
             */
            total?: number | null;
            /**
             * Total Capped
             * @description Whether there may be more than `total`
             * @default false
             */
            total_capped: boolean;
        };
        /** CountedPage[Score] */
        CountedPage_Score_: {
            /** Items */
            items: components["schemas"]["Score"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Total
             * @description How many rows the list has; null where that would take a look at every row
             */
            total?: number | null;
            /**
             * Total Capped
             * @description Whether there may be more than `total`
             * @default false
             */
            total_capped: boolean;
        };
        /** CountedPage[TraceRow] */
        CountedPage_TraceRow_: {
            /** Items */
            items: components["schemas"]["TraceRow"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
            /**
             * Total
             * @description How many rows the list has; null where that would take a look at every row
             */
            total?: number | null;
            /**
             * Total Capped
             * @description Whether there may be more than `total`
             * @default false
             */
            total_capped: boolean;
        };
        /** CountSummary */
        CountSummary: {
            /**
             * Ci Method
             * @description How the interval was made: t, or poisson where all runs have the same count
             */
            ci_method: string;
            /**
             * Confidence Interval 95
             * @description Of the mean
             */
            confidence_interval_95: [
                number,
                number
            ];
            /**
             * Flags
             * @description What a reader should know before trusting it
             */
            flags?: string[];
            /**
             * Kind
             * @description Of the metric
             * @default count
             * @constant
             */
            kind: "count";
            /**
             * Mean
             * @description Per run
             */
            mean: number;
            /**
             * Run Count
             * @description Runs that have a value
             */
            run_count: number;
            /**
             * Total
             * @description Over all runs
             */
            total: number;
        };
        /** Dashboard */
        Dashboard: {
            /**
             * After
             * Format: date-time
             * @description Start of the window
             * @example 2026-02-21T22:00:00.000Z
             */
            after: string;
            /**
             * Datasets
             * @description The five that were changed last, the newest change first
             */
            datasets: components["schemas"]["Dataset"][];
            drift: components["schemas"]["DriftAlarms"];
            experiments: components["schemas"]["StatusCounts"];
            last_completed: components["schemas"]["LastCompleted"] | null;
            project: components["schemas"]["Project"];
            /** @description Traces in the review queue, whatever the window */
            queue: components["schemas"]["QueueCounts"];
            traces: components["schemas"]["TraceFigures"];
            /**
             * Window
             * @enum {string}
             */
            window: "24h" | "7d" | "30d";
        };
        /** Dataset */
        Dataset: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Description */
            description: string | null;
            /** Id */
            id: string;
            /** Item Count */
            item_count: number;
            /** Name */
            name: string;
            /** Project Id */
            project_id: string;
            /**
             * Updated At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            updated_at: string;
            /** Version */
            version: number;
        };
        /** DatasetItem */
        DatasetItem: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Dataset Id */
            dataset_id: string;
            /** Expected Output */
            expected_output: unknown;
            /** Id */
            id: string;
            /** Input */
            input: unknown;
            /**
             * Key
             * @description The caller's own id of it
             */
            key: string | null;
            /** Metadata */
            metadata: {
                [key: string]: unknown;
            } | null;
        };
        /** DatasetQuality */
        DatasetQuality: {
            /** Always Solved Count */
            always_solved_count: number;
            /** Dataset Id */
            dataset_id: string;
            /**
             * Experiments
             * @description Experiments with numbers of this scorer on these items
             */
            experiments: number;
            /** Item Count */
            item_count: number;
            /**
             * Items
             * @description The first of them, as many as were asked for
             */
            items: components["schemas"]["ItemQuality"][];
            /** Never Solved Count */
            never_solved_count: number;
            /** Notes */
            notes: string[];
            /**
             * Pass Threshold
             * @description From which score on an item is solved
             */
            pass_threshold: number;
            /**
             * Scored Item Count
             * @description Items with a number; only these are below
             */
            scored_item_count: number;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Sort
             * @enum {string}
             */
            sort: "hardest" | "easiest" | "telling" | "misleading";
            /**
             * Version
             * @description Items of this version, the newest
             */
            version: number;
        };
        /**
         * DatasetRow
         * @description A dataset as a row of a table.
         */
        DatasetRow: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Description */
            description: string | null;
            /**
             * Experiment Count
             * @description Experiments on it, on any of its versions
             */
            experiment_count: number;
            /** Id */
            id: string;
            /** Item Count */
            item_count: number;
            /** Name */
            name: string;
            /** Project Id */
            project_id: string;
            /**
             * Updated At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            updated_at: string;
            /** Version */
            version: number;
        };
        /**
         * DatasetVersion
         * @description One version of a dataset, and what changed since the one before.
         */
        DatasetVersion: {
            /**
             * Added
             * @description New items, without those that replace another one
             */
            added: number;
            /**
             * Changed
             * @description Items that were replaced: edited, or synchronised under the same key
             */
            changed: number;
            /**
             * Created At
             * @description Null for old versions of which that was not kept
             */
            created_at: string | null;
            /** Item Count */
            item_count: number;
            /**
             * Removed
             * @description Items that left, without those that were replaced
             */
            removed: number;
            /** Version */
            version: number;
        };
        /** Deleted */
        Deleted: {
            /**
             * Deleted
             * @default true
             */
            deleted: boolean;
            /** Id */
            id: string;
        };
        /**
         * Disagreement
         * @description A card on which reviewers do not agree.
         */
        Disagreement: {
            /**
             * Disagreement
             * @description Share of its pairs of reviewers with different labels
             */
            disagreement: number;
            /** Ratings */
            ratings: components["schemas"]["ReviewerRating"][];
            /** Target Id */
            target_id: string;
            /**
             * Target Type
             * @enum {string}
             */
            target_type: "trace" | "run";
        };
        /**
         * Drift
         * @description All streams that were asked for. Alarms of any of them are wrong with a chance of at most `false_alarm_rate`.
         */
        Drift: {
            /** By */
            by: string | null;
            /** False Alarm Rate */
            false_alarm_rate: number;
            /** Notes */
            notes: string[];
            /** Project Id */
            project_id: string;
            /** Series */
            series: components["schemas"]["DriftSeries"][];
            /**
             * Status
             * @description `alarm` when any stream has one; `too_few` when all have
             * @enum {string}
             */
            status: "alarm" | "quiet" | "too_few";
        };
        /**
         * DriftAlarms
         * @description What `GET /v1/projects/{id}/drift` says, without the days.
         */
        DriftAlarms: {
            /**
             * Alarms
             * @description The scorers whose mean has moved; their `days` are left empty
             */
            alarms: components["schemas"]["DriftSeries"][];
            /**
             * Status
             * @enum {string}
             */
            status: "alarm" | "quiet" | "too_few";
            /**
             * Watched Count
             * @description Scorers on spans that were looked at
             */
            watched_count: number;
        };
        /**
         * DriftDay
         * @description The scores of the spans that started on this day (UTC).
         */
        DriftDay: {
            /**
             * Day
             * Format: date
             */
            day: string;
            /** Mean */
            mean: number;
            /** N */
            n: number;
        };
        /**
         * DriftSeries
         * @description One stream of scores: a scorer in one configuration, on all spans or on those with one value of `by`.
         */
        DriftSeries: {
            /**
             * Alarm Day
             * @description The first day at whose end the alarm stood
             */
            alarm_day: string | null;
            /**
             * Began Day
             * @description When the change began, as far as the data shows
             */
            began_day: string | null;
            /**
             * By Value
             * @description Null for all spans together
             */
            by_value: string | null;
            /**
             * Config Hash
             * @description Null for scores that were sent as they are
             */
            config_hash: string | null;
            /** Days */
            days: components["schemas"]["DriftDay"][];
            /** Direction */
            direction: ("down" | "up") | null;
            /**
             * Effect
             * @description Mean of `since` minus mean of `reference`
             */
            effect: number | null;
            /**
             * Effect Interval
             * @description Holds at every look at once
             */
            effect_interval: [
                number,
                number
            ] | null;
            /**
             * False Alarm Rate
             * @description Chance that this stream, unchanged, ever raises an alarm over all looks: its share of 0.05
             */
            false_alarm_rate: number;
            /**
             * Reason
             * @description Why there are too few scores
             */
            reason: string | null;
            /**
             * Recovered
             * @description After an alarm: the mean since may be that of the reference again
             */
            recovered: boolean;
            reference: components["schemas"]["DriftWindow"] | null;
            /**
             * Reference Interval
             * @description Where the mean of the reference lies
             */
            reference_interval: [
                number,
                number
            ] | null;
            /** Scorer Name */
            scorer_name: string;
            /** @description From the change on, after an alarm; else all after the reference */
            since: components["schemas"]["DriftWindow"] | null;
            /**
             * Status
             * @enum {string}
             */
            status: "alarm" | "quiet" | "too_few";
        };
        /** DriftWindow */
        DriftWindow: {
            /**
             * Days
             * @description Days with scores
             */
            days: number;
            /**
             * First Day
             * Format: date
             */
            first_day: string;
            /**
             * Last Day
             * Format: date
             */
            last_day: string;
            /** Mean */
            mean: number;
            /** N */
            n: number;
        };
        /**
         * ErrorAnswer
         * @description What every failure looks like.
         */
        ErrorAnswer: {
            error: components["schemas"]["ErrorBody"];
        };
        /** ErrorBody */
        ErrorBody: {
            /** Code */
            code: string;
            details: components["schemas"]["ErrorDetails"] | null;
            /** Message */
            message: string;
        };
        /** ErrorDetails */
        ErrorDetails: {
            /** Errors */
            errors: components["schemas"]["ErrorItem"][];
        };
        /** ErrorItem */
        ErrorItem: {
            /** Code */
            code: string;
            /** Field */
            field: string;
            /**
             * Index
             * @description Position in a batch
             */
            index?: number | null;
            /** Message */
            message: string;
        };
        /**
         * Estimate
         * @description A number with its 95 % interval. What is missing is null, and `reason` says why.
         */
        Estimate: {
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /**
             * Method
             * @description How the interval was made
             */
            method: string | null;
            /** Reason */
            reason: string | null;
            /** Value */
            value: number | null;
        };
        /** Experiment */
        Experiment: {
            /** Auto Complete */
            auto_complete: boolean;
            /** Completed At */
            completed_at: string | null;
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Dataset Id */
            dataset_id: string;
            /** Dataset Version */
            dataset_version: number;
            /** Id */
            id: string;
            /** Metadata */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Name */
            name: string;
            /** Project Id */
            project_id: string;
            /** Run Count */
            run_count: number;
            /**
             * Status
             * @enum {string}
             */
            status: "created" | "running" | "completed";
            /** @description The question that could end it before all items were run, and how it stood */
            stopping?: components["schemas"]["Stopping"] | null;
            /** Trials */
            trials: number;
        };
        /**
         * ExperimentBrief
         * @description What a list shows of an experiment's scores.
         */
        ExperimentBrief: {
            /** @description Null when no run's trace has a model call */
            cost: components["schemas"]["ExperimentCost"] | null;
            /**
             * Expected Run Count
             * @description Items of the pinned dataset version × trials
             */
            expected_run_count: number;
            /**
             * Failed Run Count
             * @description Runs that ended in an error
             */
            failed_run_count: number;
            /** Run Count */
            run_count: number;
            /**
             * Scorers
             * @description By name
             */
            scorers: components["schemas"]["ScorerBrief"][];
            /** @description The last one evaluated */
            threshold_result: components["schemas"]["ThresholdResult"] | null;
        };
        /** ExperimentComparison */
        ExperimentComparison: {
            /** Base Experiment Id */
            base_experiment_id: string;
            /** Base Name */
            base_name: string;
            /** Compare Experiment Id */
            compare_experiment_id: string;
            /** Compare Name */
            compare_name: string;
            /**
             * Missing Policy
             * @enum {string}
             */
            missing_policy: "drop" | "zero" | "bracket";
            /** Per Item Results */
            per_item_results: components["schemas"]["ItemComparison"][];
            /**
             * Scorer Comparisons
             * @description The strongest evidence of regression first
             */
            scorer_comparisons: components["schemas"]["ScorerComparison"][];
        };
        /**
         * ExperimentCost
         * @description What the model calls in the traces of an experiment's runs cost.
         */
        ExperimentCost: {
            /**
             * Known Usd
             * @description Of the model calls whose price is known
             */
            known_usd: number;
            /**
             * Traced Run Count
             * @description Runs whose trace is stored; the others' cost is not known
             */
            traced_run_count: number;
            /**
             * Unpriced Span Count
             * @description Model calls without a known price
             */
            unpriced_span_count: number;
            /**
             * Usd
             * @description Null when a model call has no known price
             */
            usd: number | null;
        };
        /** ExperimentCounts */
        ExperimentCounts: {
            /** Completed Count */
            completed_count: number;
            /** Created Count */
            created_count: number;
            most_recent_completed: components["schemas"]["CompletedExperiment"] | null;
            /** Running Count */
            running_count: number;
        };
        /**
         * ExperimentMetric
         * @description One number (or label) about a whole experiment.
         */
        ExperimentMetric: {
            /** Ci Method */
            ci_method: string | null;
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /**
             * N
             * @description How many runs it is over
             */
            n: number | null;
            /**
             * Reason
             * @description Why there is no value, or no interval
             */
            reason: string | null;
            /** Value */
            value: number | string | null;
        };
        /**
         * ExperimentPoint
         * @description A completed experiment as a point of a trend.
         */
        ExperimentPoint: {
            /**
             * Completed At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            completed_at: string;
            /** Dataset Id */
            dataset_id: string;
            /** Dataset Version */
            dataset_version: number;
            /** Expected Run Count */
            expected_run_count: number;
            /** Experiment Id */
            experiment_id: string;
            /** Failed Run Count */
            failed_run_count: number;
            /** Name */
            name: string;
            /** Run Count */
            run_count: number;
            /**
             * Scorers
             * @description By name; only the scorer that was asked for, where one was
             */
            scorers: components["schemas"]["ScorerPoint"][];
        };
        /** ExperimentRow */
        ExperimentRow: {
            /** Auto Complete */
            auto_complete: boolean;
            /** Completed At */
            completed_at: string | null;
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Dataset Id */
            dataset_id: string;
            /** Dataset Version */
            dataset_version: number;
            /** Id */
            id: string;
            /** Metadata */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Name */
            name: string;
            /** Project Id */
            project_id: string;
            /** Run Count */
            run_count: number;
            /**
             * Status
             * @enum {string}
             */
            status: "created" | "running" | "completed";
            /** @description The question that could end it before all items were run, and how it stood */
            stopping?: components["schemas"]["Stopping"] | null;
            /** @description Only with `include=summary` */
            summary?: components["schemas"]["ExperimentBrief"] | null;
            /** Trials */
            trials: number;
        };
        /**
         * FacetKey
         * @description A key of the root spans' metadata, with its most frequent values.
         */
        FacetKey: {
            /**
             * Count
             * @description Traces whose root span has this key
             */
            count: number;
            /**
             * Distinct
             * @description How many different values it has
             */
            distinct: number;
            /**
             * Indexed
             * @description Whether a filter by this key is looked up; for others spans are looked through
             */
            indexed: boolean;
            /** Key */
            key: string;
            /**
             * Values
             * @description The 10 most frequent, as a filter writes them
             */
            values: components["schemas"]["FacetValue"][];
        };
        /** FacetValue */
        FacetValue: {
            /** Count */
            count: number;
            /** Value */
            value: string;
        };
        /**
         * FamilyMetrics
         * @description Everything that a family measures, as data.
         */
        FamilyMetrics: {
            /**
             * Family
             * @description Name of the benchmark's family
             */
            family: string;
            /**
             * Groups
             * @description Sections of a leaderboard, in order
             */
            groups: components["schemas"]["MetricGroup"][];
            /**
             * Metrics
             * @description Columns, in order
             */
            metrics: components["schemas"]["MetricDefinition"][];
            /**
             * Success
             * @description What it takes for a run to succeed, in a sentence
             */
            success: string;
        };
        /**
         * Figure
         * @description A number with its 95 % interval, and how many scores, answers or targets are behind it.
         */
        Figure: {
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /**
             * Method
             * @description How the interval was made
             */
            method: string | null;
            /** N */
            n: number;
            /** Reason */
            reason: string | null;
            /** Value */
            value: number | null;
        };
        /**
         * FoundSpans
         * @description The spans of a trace that hold a text.
         */
        FoundSpans: {
            /**
             * Capped
             * @description True when the search stopped early: 1,000 found, or 32 MB looked through
             */
            capped: boolean;
            /**
             * Searched
             * @description How many spans were looked through
             */
            searched: number;
            /**
             * Span Ids
             * @description By start time, at most 1,000
             */
            span_ids: string[];
        };
        /**
         * GroupMean
         * @description One scorer's numbers in one group.
         */
        GroupMean: {
            /** Clusters */
            clusters: number;
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /** Mean */
            mean: number | null;
            /**
             * N
             * @description Iterations with a number
             */
            n: number;
            /**
             * N Absent
             * @description Iterations of the group without one
             */
            n_absent: number;
        };
        /**
         * GroupScorerComparison
         * @description One scorer in two groups of iterations. `delta` is compare − base.
         */
        GroupScorerComparison: {
            base: components["schemas"]["GroupMean"];
            /**
             * Ci Method
             * @description Of `delta_ci_95`
             */
            ci_method: string | null;
            compare: components["schemas"]["GroupMean"];
            /** Delta */
            delta: number | null;
            /** Delta Ci 95 */
            delta_ci_95: [
                number,
                number
            ] | null;
            /** Flags */
            flags: string[];
            /**
             * More Clusters
             * @description How many more sessions or tasks in each group would probably decide it; when inconclusive
             */
            more_clusters: number | null;
            /** P Value */
            p_value: number | null;
            /**
             * P Value Adjusted
             * @description By Holm over the scorers of this comparison; the total, `outcome`, is the main question and stays
             */
            p_value_adjusted: number | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "improved" | "regressed" | "equivalent" | "inconclusive";
            /**
             * Words
             * @description The verdict for people
             */
            words: string;
        };
        /**
         * Histogram
         * @description A run with several numbers of the scorer counts once, with their mean.
         */
        Histogram: {
            /**
             * Counts
             * @description Runs per bin
             */
            counts: number[];
            /**
             * Edges
             * @description From 0 to 1, one more than bins. A score on an edge belongs to the bin above it, 1 to the last
             */
            edges: number[];
            /** Experiment Id */
            experiment_id: string;
            /**
             * Labels
             * @description Label → scores
             */
            labels: {
                [key: string]: number;
            };
            /**
             * Missing
             * @description The same by state and reason, the most frequent first
             */
            missing: components["schemas"]["MissingCount"][];
            /**
             * N Missing
             * @description Runs without any score of this scorer
             */
            n_missing: number;
            /**
             * N Values
             * @description Runs with a number
             */
            n_values: number;
            /**
             * Quartiles
             * @description Null without numbers
             */
            quartiles: [
                number,
                number,
                number
            ] | null;
            /**
             * Run Ids
             * @description Of `values`; null when there are more than 400
             */
            run_ids: string[] | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Values
             * @description Each run's number, by item and run; null when there are over 400
             */
            values: number[] | null;
        };
        /** Hold */
        Hold: {
            /** Held Until */
            held_until: string | null;
            /**
             * Holder
             * @description Null when it is not held
             */
            holder: string | null;
        };
        /**
         * Honesty
         * @description Claims against facts, by role and signal, under one rubric.
         */
        Honesty: {
            /** N Iterations */
            n_iterations: number;
            /**
             * Roles
             * @description impl, verifier, review; then as the signals first appear
             */
            roles: components["schemas"]["RoleHonesty"][];
            /**
             * Rubric Version
             * @description Null when no iteration names one
             */
            rubric_version?: string | null;
            /**
             * Rubric Versions
             * @description All that are stored here, the last pushed first; of these one is shown
             */
            rubric_versions?: string[];
        };
        /** Imported */
        Imported: {
            /** Imported Count */
            imported_count: number;
            /**
             * Skipped
             * @description The first 1000
             */
            skipped: components["schemas"]["SkippedLine"][];
            /** Skipped Count */
            skipped_count: number;
        };
        /** Ingested */
        Ingested: {
            /** Accepted */
            accepted: number;
            /**
             * Job Ids
             * @description Jobs started by inline scores of a judge, or by rules
             */
            job_ids?: string[];
            /**
             * Trace Ids
             * @description Distinct, in order of first appearance
             */
            trace_ids: string[];
        };
        /**
         * InlineScoreDraft
         * @description A score inside a run or a span: its value, or why there is none; with neither a built-in computes it.
         */
        InlineScoreDraft: {
            /**
             * Absent
             * @description Why there is nothing to score: kept as a scoring state, without a score
             */
            absent?: string | null;
            /**
             * Config
             * @description The scorer's own keys, such as `expected_output`; beside it they are refused
             */
            config?: {
                [key: string]: unknown;
            } | null;
            /**
             * Failed
             * @description Why scoring failed: kept as a scoring state, without a score
             */
            failed?: string | null;
            /** Metadata */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** Rationale */
            rationale?: string | null;
            /**
             * Scorer
             * @description The built-in to run; `scorer_name` unless said
             */
            scorer?: string | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Source
             * @description Only `human` is taken from a caller
             */
            source?: ("api" | "builtin" | "judge" | "human") | null;
            /** Value */
            value?: number | string | null;
        };
        /** IntegrityDraft */
        IntegrityDraft: {
            claimed: components["schemas"]["SignalDraft"];
            observed: components["schemas"]["SignalDraft"];
            /**
             * Role
             * @enum {string}
             */
            role: "impl" | "verifier" | "review";
            /** Signal */
            signal: string;
        };
        /**
         * IntegrityObservation
         * @description What a role claimed beside what was observed. It never moves the score.
         */
        IntegrityObservation: {
            claimed: components["schemas"]["SignalValue"];
            observed: components["schemas"]["SignalValue"];
            /**
             * Role
             * @enum {string}
             */
            role: "impl" | "verifier" | "review";
            /** Signal */
            signal: string;
        };
        /**
         * ItemComparison
         * @description One item in two experiments. A plain dict: a comparison may hold a hundred thousand of them.
         */
        ItemComparison: {
            /** Base Score */
            base_score: number | string | null;
            /** Compare Score */
            compare_score: number | string | null;
            /** Dataset Item Id */
            dataset_item_id: string;
            /** Delta */
            delta: number | null;
            /** Scorer Name */
            scorer_name: string;
        };
        /**
         * ItemCounts
         * @description How many items of one scorer became what; the same counts as in the comparison.
         */
        ItemCounts: {
            /**
             * Changed
             * @description Labels that differ
             */
            changed: number;
            /** Improved */
            improved: number;
            /** Only Base */
            only_base: number;
            /** Only Other */
            only_other: number;
            /** Regressed */
            regressed: number;
            /** Unchanged */
            unchanged: number;
        };
        /** ItemDraft */
        ItemDraft: {
            /** Expected Output */
            expected_output?: unknown;
            /** Input */
            input: unknown;
            /**
             * Key
             * @description Your own id of the item, unique in the dataset's newest version
             */
            key?: string | null;
            /** Metadata */
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        /**
         * ItemQuality
         * @description One item over the experiments that have numbers of one scorer on it.
         */
        ItemQuality: {
            /**
             * Always Solved
             * @description Every score on it reached the pass threshold
             */
            always_solved: boolean;
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ];
            /**
             * Discrimination
             * @description Correlation of the experiments' means on it with their means over all other items, −1 to 1: near 1 it tells good experiments from weak ones, near 0 it does not, below 0 the weak ones do better on it
             */
            discrimination: number | null;
            /**
             * Discrimination Reason
             * @description Why there is no such figure
             */
            discrimination_reason: string | null;
            /**
             * Experiments
             * @description Experiments with a number on it
             */
            experiments: number;
            /**
             * Input
             * @description The first 300 characters of its input: a string as it is, all else as JSON text
             */
            input?: string | null;
            /** Item Id */
            item_id: string;
            /** Key */
            key: string | null;
            /**
             * Mean
             * @description Mean of the experiments' means on it, 1 is easiest; each experiment counts once
             */
            mean: number;
            /**
             * N
             * @description Numbers on it, over all experiments and trials
             */
            n: number;
            /**
             * Never Solved
             * @description No score on it reached the pass threshold
             */
            never_solved: boolean;
        };
        /**
         * ItemRun
         * @description A run on a dataset item, with its experiment and its scores.
         */
        ItemRun: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /**
             * Error
             * @description Null for a run that did not fail
             */
            error: unknown;
            /** Experiment Id */
            experiment_id: string;
            /** Experiment Name */
            experiment_name: string;
            /** Output */
            output: unknown;
            /** Run Id */
            run_id: string;
            /** Scores */
            scores: components["schemas"]["Score"][];
            /** Trace Id */
            trace_id: string | null;
            /** Trial */
            trial: number;
        };
        /** ItemsSynced */
        ItemsSynced: {
            /** Added */
            added: number;
            /**
             * Changed
             * @description Items whose key was there with other content: the old item left, a new one came
             */
            changed: number;
            /** Dataset Id */
            dataset_id: string;
            /**
             * Item Ids
             * @description In the order of the items that were sent
             */
            item_ids: string[];
            /** Kept */
            kept: number;
            /** Removed */
            removed: number;
            /**
             * Version
             * @description The new version; the old one when nothing changed
             */
            version: number;
        };
        /**
         * Iteration
         * @description An iteration as a server stores it. `coverage` and `provisional` say how much evidence the value is based on.
         */
        Iteration: {
            /**
             * Agent
             * @description The agent's program
             */
            agent?: string | null;
            /** Band */
            band: string;
            /** Breakdown */
            breakdown: components["schemas"]["SignalContribution"][];
            /** Commit */
            commit: string | null;
            /** Coverage */
            coverage: number;
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Date */
            date: string | null;
            /** Id */
            id: string;
            /** Integrity */
            integrity: components["schemas"]["IntegrityObservation"][];
            /** Iteration */
            iteration: number;
            /** Labels */
            labels?: string[];
            /**
             * Model
             * @description The model that the agent used
             */
            model?: string | null;
            /** Objectives */
            objectives: {
                [key: string]: components["schemas"]["SignalValue"];
            };
            /**
             * Profile
             * @enum {string}
             */
            profile: "gnomon" | "compat";
            /** Project Id */
            project_id: string;
            /**
             * Provisional
             * @description No verdict yet: on little evidence, on claims alone, or not landed yet
             */
            provisional: boolean;
            /**
             * Repository Url
             * @description Where the source is on the web
             */
            repository_url?: string | null;
            /** Rubric Version */
            rubric_version: string;
            /**
             * Rules Files
             * @description Files with rules for agents at the commit, such as AGENTS.md@1f0c3a9d2b4e (the SHA-256's beginning); null when that is not known
             */
            rules_files?: string[] | null;
            /** Scored */
            scored: boolean;
            /** Session Id */
            session_id: string | null;
            /** Source */
            source: string;
            /** Task Id */
            task_id: string | null;
            /**
             * Updated At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            updated_at: string;
            /** Value */
            value: number | null;
            /**
             * Why Provisional
             * @description Null when the score is a verdict
             */
            why_provisional?: string | null;
        };
        /**
         * IterationComparison
         * @description Two groups of stored iterations: unpaired, with sessions or tasks as what varies.
         */
        IterationComparison: {
            base: components["schemas"]["IterationGroup"];
            /**
             * By
             * @enum {string}
             */
            by: "session" | "agent" | "model" | "label" | "period" | "rubric" | "rules-file";
            /**
             * Cluster By
             * @enum {string}
             */
            cluster_by: "session" | "task";
            compare: components["schemas"]["IterationGroup"];
            /**
             * Notes
             * @description What was left out, and why
             */
            notes: string[];
            /** Project Id */
            project_id: string;
            /**
             * Rubric Version
             * @description The one that both groups are scored by; null when compared by it
             */
            rubric_version: string | null;
            /**
             * Rubric Versions
             * @description All that are stored here, the last pushed first
             */
            rubric_versions: string[];
            /**
             * Scorer Comparisons
             * @description `outcome` first, then by the evidence of regression
             */
            scorer_comparisons: components["schemas"]["GroupScorerComparison"][];
        };
        /**
         * IterationContext
         * @description The context of one iteration: its neighbours, its session, other rubrics, and its session's traces.
         */
        IterationContext: {
            /** @description The next higher number of this source and rubric version */
            next: components["schemas"]["IterationPoint"] | null;
            /**
             * Other Rubrics
             * @description The last stored first
             */
            other_rubrics: components["schemas"]["OtherRubric"][];
            /** @description The next lower number of this source and rubric version */
            previous: components["schemas"]["IterationPoint"] | null;
            /** @description Null when the iteration names no session */
            session: components["schemas"]["OutcomeSession"] | null;
            /**
             * Trace Count
             * @description Traces of this project that name the iteration's session
             */
            trace_count: number;
            /**
             * Trace Count Capped
             * @description There may be more traces than were counted
             */
            trace_count_capped: boolean;
        };
        /**
         * IterationDraft
         * @description One scored iteration, as `gnomon outcome push` sends it. (source, iteration, rubric_version) is its key.
         */
        IterationDraft: {
            /**
             * Agent
             * @description The agent's program, such as claude-code; empty is none
             */
            agent?: string | null;
            /** Band */
            band: string;
            /** Breakdown */
            breakdown: components["schemas"]["ContributionDraft"][];
            /** Commit */
            commit?: string | null;
            /** Date */
            date?: string | null;
            /** Integrity */
            integrity?: components["schemas"]["IntegrityDraft"][] | null;
            /** Iteration */
            iteration: number;
            /**
             * Labels
             * @description Names of your own to compare by, such as new-rules
             */
            labels?: string[] | null;
            /**
             * Model
             * @description The model that the agent used; empty is none
             */
            model?: string | null;
            /** Objectives */
            objectives?: {
                [key: string]: components["schemas"]["SignalDraft"];
            } | null;
            /**
             * Profile
             * @enum {string}
             */
            profile: "gnomon" | "compat";
            /** Rubric Version */
            rubric_version: string;
            /**
             * Rules Files
             * @description Files with rules for agents at the commit, such as AGENTS.md@1f0c3a9d2b4e (the SHA-256's beginning); null when that is not known
             */
            rules_files?: string[] | null;
            /** Scored */
            scored: boolean;
            /**
             * Session Id
             * @description Empty is none
             */
            session_id?: string | null;
            /** Task Id */
            task_id?: string | null;
            /**
             * Value
             * @description Null when not scored
             */
            value?: number | null;
        };
        /**
         * IterationFacets
         * @description What iterations can be filtered and compared by. Values are the last stored first, at most 1,000 of each.
         */
        IterationFacets: {
            /** Agents */
            agents: components["schemas"]["FacetValue"][];
            /** Bands */
            bands: components["schemas"]["FacetValue"][];
            /** Labels */
            labels: components["schemas"]["FacetValue"][];
            /** Models */
            models: components["schemas"]["FacetValue"][];
            /**
             * Provisional Count
             * @description Iterations that stand on little evidence
             */
            provisional_count: number;
            /** Rubric Versions */
            rubric_versions: components["schemas"]["FacetValue"][];
            /**
             * Rules Files
             * @description File name @ the beginning of its content's SHA-256
             */
            rules_files: components["schemas"]["FacetValue"][];
            /** Sessions */
            sessions: components["schemas"]["FacetValue"][];
            /** Sources */
            sources: components["schemas"]["FacetValue"][];
            /** Total */
            total: number;
        };
        /**
         * IterationGroup
         * @description One of two groups that are compared.
         */
        IterationGroup: {
            /**
             * N Clusters
             * @description Sessions or tasks; an iteration that names none is one of its own
             */
            n_clusters: number;
            /**
             * N Iterations
             * @description Without the provisional ones
             */
            n_iterations: number;
            /**
             * N Provisional
             * @description Left out of every mean: they stand on little evidence
             */
            n_provisional: number;
            /**
             * Name
             * @description What its iterations have in common: a session, a model, a period, …
             */
            name: string;
        };
        /**
         * IterationPoint
         * @description An iteration in a list or a plot: its value, the evidence for it, and what lowered it most.
         */
        IterationPoint: {
            /** Agent */
            agent: string | null;
            /** Band */
            band: string;
            /** Commit */
            commit: string | null;
            /** Coverage */
            coverage: number;
            /** Date */
            date: string | null;
            /** Id */
            id: string;
            /** Iteration */
            iteration: number;
            /** Labels */
            labels: string[];
            /** @description Null when nothing was lost or nothing was scored */
            largest_loss: components["schemas"]["SignalLoss"] | null;
            /** Model */
            model: string | null;
            /**
             * Observed
             * @description Signals that facts stand behind; values of iterations in which these differ are not alike
             */
            observed: string[];
            /** Provisional */
            provisional: boolean;
            /**
             * Rules Files
             * @description Null when they are not known
             */
            rules_files: string[] | null;
            /** Session Id */
            session_id: string | null;
            /** Task Id */
            task_id: string | null;
            /**
             * Value
             * @description Null when not scored
             */
            value: number | null;
            /**
             * Why Provisional
             * @description Null when the score is a verdict
             */
            why_provisional: string | null;
        };
        /** IterationsAccepted */
        IterationsAccepted: {
            /** Accepted */
            accepted: number;
            /** Created */
            created: number;
            /** Updated */
            updated: number;
        };
        /**
         * IterationSummary
         * @description The scores of a group of iterations, scorer by scorer. Provisional iterations are left out of every mean.
         */
        IterationSummary: {
            /**
             * Cluster By
             * @enum {string}
             */
            cluster_by: "session" | "task";
            /**
             * N Iterations
             * @description Without the provisional ones
             */
            n_iterations: number;
            /**
             * N Provisional
             * @description Left out: they stand on little evidence
             */
            n_provisional: number;
            /** Project Id */
            project_id: string;
            /**
             * Rubric Version
             * @description Null when there is no iteration
             */
            rubric_version: string | null;
            /**
             * Rubric Versions
             * @description All that are stored here, the last pushed first
             */
            rubric_versions: string[];
            /**
             * Scores By Scorer
             * @description Counts are of iterations
             */
            scores_by_scorer: {
                [key: string]: components["schemas"]["ScorerSummary"];
            };
        };
        /**
         * IterationTrend
         * @description Values of one source by one rubric version, in the order of the iterations' numbers.
         */
        IterationTrend: {
            /**
             * Has Older
             * @description There are iterations with lower numbers; ask for them with `before`
             */
            has_older: boolean;
            /**
             * Iterations
             * @description The newest that match, ascending
             */
            iterations: components["schemas"]["IterationPoint"][];
            /** Project Id */
            project_id: string;
            /** Rubric Version */
            rubric_version: string | null;
            /**
             * Rubric Versions
             * @description All of this source, the last pushed first; of these one is shown
             */
            rubric_versions: string[];
            /**
             * Sessions
             * @description Whole sessions of the iterations shown, also those of their iterations that do not match
             */
            sessions: components["schemas"]["OutcomeSession"][];
            /**
             * Source
             * @description Null when nothing matches
             */
            source: string | null;
            /**
             * Sources
             * @description All that are stored here, the last stored first; of these one is shown
             */
            sources: string[];
            /**
             * Total
             * @description Iterations that match, those before and after the ones shown included
             */
            total: number;
        };
        /** Job */
        Job: {
            /** Attempts */
            attempts: number;
            /** Cost Usd */
            cost_usd?: number | null;
            /**
             * Counts
             * @description Pieces by what became of them: scored, absent, failed, queued, …
             */
            counts: {
                [key: string]: number;
            };
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /**
             * Evidence
             * @description What the model answered, where no score could be read
             */
            evidence?: string | null;
            /** Experiment Id */
            experiment_id: string | null;
            /** Id */
            id: string;
            /**
             * Kind
             * @description score_experiment, score_spans, probe_judge, playground, …; judge for one target
             */
            kind: string;
            /** Model */
            model?: string | null;
            /**
             * Parent Id
             * @description The job that this one is a part of
             */
            parent_id?: string | null;
            /** Project Id */
            project_id: string;
            /**
             * Reason
             * @description Why it failed
             */
            reason: string | null;
            /** Score Id */
            score_id: string | null;
            /** Scorer Name */
            scorer_name?: string | null;
            /**
             * Status
             * @enum {string}
             */
            status: "queued" | "running" | "done" | "failed" | "cancelled";
            /** Target Id */
            target_id?: string | null;
            /** Target Type */
            target_type?: string | null;
            /**
             * Total
             * @description Pieces of work in it
             */
            total: number;
            /**
             * Trace Id
             * @description The trace of a target that is a span or a trace
             */
            trace_id?: string | null;
            /**
             * Updated At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            updated_at: string;
        };
        /** JobAccepted */
        JobAccepted: {
            /** Job Id */
            job_id: string;
        };
        /**
         * JobKindSummary
         * @description Jobs of one kind.
         */
        JobKindSummary: {
            /**
             * Cost Usd
             * @description What is known of it
             */
            cost_usd: number;
            /**
             * Counts
             * @description Every status → how many jobs
             */
            counts: {
                [key: string]: number;
            };
            /** Kind */
            kind: string;
            /**
             * Unpriced Count
             * @description Jobs that asked a model to the end and whose cost is not known
             */
            unpriced_count: number;
        };
        /**
         * JobsSummary
         * @description A project's jobs by status. A job's parts (`kind` judge) are jobs too, as in the list.
         */
        JobsSummary: {
            /** By Kind */
            by_kind: components["schemas"]["JobKindSummary"][];
            /**
             * Cost Usd
             * @description What is known of it
             */
            cost_usd: number;
            /**
             * Counts
             * @description Every status → how many jobs
             */
            counts: {
                [key: string]: number;
            };
            /** Project Id */
            project_id: string;
            /**
             * Unpriced Count
             * @description Jobs that asked a model to the end and whose cost is not known
             */
            unpriced_count: number;
        };
        /**
         * Judge
         * @description A scorer whose scores come from a model, in one configuration.
         */
        Judge: {
            /** @description With people */
            agreement?: components["schemas"]["JudgeAgreement"] | null;
            /**
             * Agreement Reason
             * @description Why there is none
             */
            agreement_reason?: string | null;
            /**
             * Answered
             * @description Answers, those without a readable score among them
             * @default 0
             */
            answered: number;
            /** Config Hash */
            config_hash: string;
            /**
             * Cost Usd
             * @description Of its jobs as far as known; null when nothing is known
             */
            cost_usd?: number | null;
            /**
             * Last Used
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            last_used: string;
            /** Model */
            model: string | null;
            /** Scorer Name */
            scorer_name: string;
            /** Scores */
            scores: number;
            /**
             * Unanswered
             * @description Jobs that ended without an answer
             * @default 0
             */
            unanswered: number;
            /**
             * Unpriced
             * @description Jobs that asked the model to the end and whose cost is not known
             * @default 0
             */
            unpriced: number;
            /**
             * Unreadable
             * @description Answers without a readable score
             * @default 0
             */
            unreadable: number;
        };
        /**
         * JudgeAgreement
         * @description How far a judge and people say the same of the targets that both rated.
         */
        JudgeAgreement: {
            chance_corrected: components["schemas"]["Estimate"];
            /**
             * Human
             * @description People's scorer; of several, the one with most of the judge's targets
             */
            human: string;
            /**
             * Measure
             * @description What the chance-corrected one is: it suits the scale of the scores
             * @enum {string}
             */
            measure: "cohen_kappa" | "weighted_kappa_quadratic" | "krippendorff_alpha";
            /**
             * N Labelled
             * @description Targets that both rated
             */
            n_labelled: number;
            /** @description Share of targets on which both say the same */
            raw: components["schemas"]["Estimate"];
        };
        /**
         * JudgeBrief
         * @description The report card in a few numbers, for one experiment's page.
         */
        JudgeBrief: {
            /**
             * Agreement
             * @description Share of runs on which judge and people say the same
             */
            agreement: number | null;
            /** Agreement Ci 95 */
            agreement_ci_95: [
                number,
                number
            ] | null;
            /** Answered */
            answered: number;
            /** Config Hash */
            config_hash: string | null;
            /**
             * Human
             * @description People's scorer on the same runs
             */
            human: string | null;
            /** Labelled */
            labelled: number;
            /** Model */
            model: string | null;
            /** Parse Failure Ci 95 */
            parse_failure_ci_95: [
                number,
                number
            ] | null;
            /** Parse Failure Rate */
            parse_failure_rate: number | null;
            /** Probed At */
            probed_at: string | null;
        };
        /**
         * JudgeCard
         * @description One judge: a scorer in one configuration. What does not apply is null, with the reason.
         */
        JudgeCard: {
            /**
             * Addresses Judge
             * @description Outputs that seem to speak to their judge
             */
            addresses_judge: number;
            /**
             * Config Hash
             * @description Null for scores that were sent, not made here
             */
            config_hash: string | null;
            /** @description Mean per score */
            cost_usd: components["schemas"]["Figure"];
            /** @description Votes that dropped out, where several were asked for */
            failed_votes: components["schemas"]["Figure"];
            /** Failure Reasons */
            failure_reasons: {
                [key: string]: number;
            };
            /**
             * Families
             * @description Family of the judged model → scores
             */
            families: {
                [key: string]: number;
            };
            /**
             * Family
             * @description Who made the model
             */
            family: string | null;
            /**
             * First Used
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            first_used: string;
            /** Label Shares */
            label_shares: {
                [key: string]: components["schemas"]["LabelShare"];
            } | null;
            /**
             * Last Used
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            last_used: string;
            /** @description Median, of answers that were not remembered ones */
            latency_ms: components["schemas"]["Figure"];
            /** @description Change of the score when the output is twice as long */
            length_slope: components["schemas"]["Figure"];
            /** @description The same of judge − human, where people rated too */
            length_slope_beyond_people: components["schemas"]["Figure"];
            mean: components["schemas"]["Figure"];
            /** Model */
            model: string | null;
            /** Notes */
            notes: string[];
            /** @description Answers without a readable score, among all answers */
            parse_failures: components["schemas"]["Figure"];
            /** @description The judge's agreement with human labels */
            people: components["schemas"]["Calibration"] | null;
            /**
             * People Reason
             * @description Why there is no such comparison
             */
            people_reason: string | null;
            /** @description The newest */
            probe: components["schemas"]["Probe"] | null;
            /** Probe Reason */
            probe_reason: string | null;
            /** Project Id */
            project_id: string;
            /**
             * Read
             * @description The newest of them, which the figures are made of
             */
            read: number;
            /** @description How often two votes or scores on one target are the same */
            repeat_agreement: components["schemas"]["Figure"];
            /** @description Mean distance of two votes or scores on one target */
            repeat_difference: components["schemas"]["Figure"];
            /** Scorer Name */
            scorer_name: string;
            /** Scores */
            scores: number;
            /** @description Mean for models of the judge's own family less that for others */
            self_preference: components["schemas"]["Figure"];
            /** @description The same of judge − human, where people rated too */
            self_preference_beyond_people: components["schemas"]["Figure"];
            tokens_input: components["schemas"]["Figure"];
            tokens_output: components["schemas"]["Figure"];
            /**
             * Unanswered
             * @description Why jobs ended without an answer → how many
             */
            unanswered: {
                [key: string]: number;
            };
        };
        /** Key */
        Key: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /**
             * Expires At
             * @description When it ends by itself
             */
            expires_at?: string | null;
            /** Id */
            id: string;
            /** Name */
            name: string | null;
            /** Project Id */
            project_id: string | null;
            /**
             * Role
             * @enum {string}
             */
            role: "reviewer" | "read" | "write" | "admin";
        };
        /**
         * LabelMeansSummary
         * @description Over several scenarios, each of which counts the same.
         */
        LabelMeansSummary: {
            /**
             * Kind
             * @description Of the metric
             * @default labels
             * @constant
             */
            kind: "labels";
            /**
             * Means
             * @description Label → share of the runs that contain it, the most frequent first
             */
            means: {
                [key: string]: components["schemas"]["MeanOverRuns"];
            };
        };
        /** LabelOfSet */
        LabelOfSet: {
            /**
             * Hint
             * @description When to give it
             */
            hint: string | null;
            /** Label */
            label: string;
            /**
             * Value
             * @description The human score that this label gives; null: none
             */
            value: number | null;
        };
        /**
         * LabelShare
         * @description How often one label was given, among all labels.
         */
        LabelShare: {
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ];
            /** Count */
            count: number;
            /** Share */
            share: number;
        };
        /**
         * LabelStratum
         * @description Targets to which the judge gave similar scores.
         */
        LabelStratum: {
            /**
             * Gain
             * @description By how much one label more would shorten the interval to each side
             */
            gain: number | null;
            /** Labelled */
            labelled: number;
            /** Name */
            name: string;
            /** Targets */
            targets: number;
        };
        /** LabelSummary */
        LabelSummary: {
            /**
             * Counts
             * @description Label → runs that have it
             */
            counts: {
                [key: string]: number;
            };
            /**
             * Kind
             * @description Of the metric
             * @default label
             * @constant
             */
            kind: "label";
            /**
             * Run Count
             * @description Runs that have a value
             */
            run_count: number;
        };
        /**
         * LastCompleted
         * @description The experiment that was completed last. Its last gate is the summary's `threshold_result`.
         */
        LastCompleted: {
            experiment: components["schemas"]["Experiment"];
            summary: components["schemas"]["Summary"];
        };
        /** Leaderboard */
        Leaderboard: {
            /**
             * Agents
             * @description By score
             */
            agents: components["schemas"]["LeaderboardAgent"][];
            /**
             * Comparisons
             * @description Every pair of agents that have a score
             */
            comparisons: components["schemas"]["LeaderboardComparison"][];
            /**
             * Cost Front
             * @description Agents that no other is both as cheap as and better than, the cheapest first
             */
            cost_front?: string[];
            /** Dataset Id */
            dataset_id?: string | null;
            /** Dataset Name */
            dataset_name?: string | null;
            /**
             * Families
             * @description Of a benchmark, what each family measures: names, kinds and columns of metrics
             */
            families?: components["schemas"]["FamilyMetrics"][];
            /**
             * Groups
             * @description Groups of agents of which no two can be told apart; any two who cannot share a group
             */
            groups: string[][];
            /** Item Count */
            item_count: number;
            /**
             * Min Effect
             * @description The smallest difference that matters, when one was stated
             */
            min_effect: number | null;
            /**
             * Missing Policy
             * @enum {string}
             */
            missing_policy: "drop" | "zero" | "bracket";
            /** Notes */
            notes: string[];
            /**
             * Pass Threshold
             * @description A trial passes when its value is at least this
             */
            pass_threshold: number | null;
            /** Resamples */
            resamples: number;
            /**
             * Schema Version
             * @default 1
             * @constant
             */
            schema_version: 1;
            /** Scorer Name */
            scorer_name?: string | null;
            /**
             * Source
             * @enum {string}
             */
            source: "scores" | "preferences" | "bench";
            /** @description The findings in sentences */
            words?: components["schemas"]["LeaderboardWords"] | null;
        };
        /**
         * LeaderboardAgent
         * @description One agent: its score, its rank, and how far off both may be.
         */
        LeaderboardAgent: {
            /**
             * Actions
             * @description Of a benchmark: what it did in its runs, the most frequent first
             */
            actions?: {
                [key: string]: components["schemas"]["ActionShare"];
            };
            /** Agent Id */
            agent_id: string;
            /** Ci Method */
            ci_method: string | null;
            /**
             * Confidence Interval
             * @description 95 %
             */
            confidence_interval: [
                number,
                number
            ] | null;
            /** @description Of its runs; null where nothing is known of it */
            cost?: components["schemas"]["RunCost"] | null;
            /**
             * Elo
             * @description Bradley–Terry strength around 0, in Elo points
             */
            elo?: number | null;
            /** Elo Interval */
            elo_interval?: [
                number,
                number
            ] | null;
            /**
             * Experiments
             * @description That its trials come from, the oldest first; empty for files
             */
            experiments?: components["schemas"]["AgentExperiment"][];
            /**
             * Flags
             * @description What a reader should know before trusting the interval
             */
            flags: string[];
            /**
             * Group
             * @description Letters: agents that share one cannot be told apart, and those that share none can
             */
            group: string;
            /** Item Count */
            item_count: number;
            /**
             * Metrics
             * @description Of a benchmark: by metric; one that no run has a value for is not there
             */
            metrics?: {
                [key: string]: components["schemas"]["MeanSummary"] | components["schemas"]["CountSummary"] | components["schemas"]["TimeSummary"] | components["schemas"]["LabelSummary"] | components["schemas"]["LabelMeansSummary"];
            };
            /**
             * Missing Bracket
             * @description The score if every missing value were 0, and if it were 1
             */
            missing_bracket: [
                number,
                number
            ] | null;
            /**
             * N Missing
             * @description Trials without a value
             */
            n_missing: number;
            /**
             * Overall Score
             * @description Mean of the items' means; with preferences, the chance to beat the others
             */
            overall_score: number | null;
            /**
             * Pass At K
             * @description By k, up to the k that was asked for, else to the fewest trials that an item has
             */
            pass_at_k: {
                [key: string]: number;
            } | null;
            /** Pass At K Ci */
            pass_at_k_ci: {
                [key: string]: [
                    number,
                    number
                ];
            } | null;
            /**
             * Pass K Items
             * @description k → the items with that many trials, where not all of them have
             */
            pass_k_items?: {
                [key: string]: number;
            } | null;
            /**
             * Pass Pow K
             * @description By k, up to the k that was asked for, else to the fewest trials that an item has
             */
            pass_pow_k: {
                [key: string]: number;
            } | null;
            /** Pass Pow K Ci */
            pass_pow_k_ci: {
                [key: string]: [
                    number,
                    number
                ];
            } | null;
            /**
             * Rank
             * @description 1 + how many agents are significantly better; null without a score
             */
            rank: number | null;
            /**
             * Rank Interval
             * @description Ranks that are possible, for all agents at once (95 %): it ends where others differ significantly
             */
            rank_interval: [
                number,
                number
            ] | null;
            /**
             * Rank Interval Marginal
             * @description For this agent alone: 2.5 to 97.5 % of its ranks over resampled items
             */
            rank_interval_marginal?: [
                number,
                number
            ] | null;
            /**
             * Reasons
             * @description Why trials have no value → how many
             */
            reasons?: {
                [key: string]: number;
            };
            /**
             * Run Count
             * @description Trials with a value; with preferences, comparisons
             */
            run_count: number;
            /**
             * Standard Deviation
             * @description Of the items' means; null for a single item
             */
            standard_deviation: number | null;
            /** Standard Error */
            standard_error: number | null;
        };
        /**
         * LeaderboardComparison
         * @description Two agents, `a` listed above `b`, over the items that both have. `improved`: a is better than b.
         */
        LeaderboardComparison: {
            /** A */
            a: string;
            /**
             * Adjacent
             * @description They are neighbours in the list
             */
            adjacent: boolean;
            /** B */
            b: string;
            /** Common Items */
            common_items: number;
            /**
             * Delta
             * @description a − b; with preferences, the chance that a wins less that b does
             */
            delta: number | null;
            /** Delta Ci 95 */
            delta_ci_95: [
                number,
                number
            ] | null;
            /** P Value */
            p_value: number | null;
            /**
             * P Value Adjusted
             * @description Holm, over all pairs
             */
            p_value_adjusted: number | null;
            /**
             * Reason
             * @description Why there is no difference or no interval
             */
            reason?: string | null;
            /**
             * Uncertain
             * @description Their order is not settled
             */
            uncertain: boolean;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "improved" | "regressed" | "equivalent" | "inconclusive";
        };
        /**
         * LeaderboardWords
         * @description The findings in sentences, as the page, the exported file and the terminal have them.
         */
        LeaderboardWords: {
            /**
             * Actions
             * @description Of what agents did; null where that is not known
             */
            actions: string | null;
            /**
             * Cost
             * @description Of score against cost; null where no cost is known
             */
            cost: string | null;
            /**
             * Headline
             * @description Who is ahead, and how surely
             */
            headline: string;
            /**
             * Pairs
             * @description Of the pairs; null with fewer than two agents that have a score
             */
            pairs: string | null;
            /**
             * Passes
             * @description Of pass@k and pass^k; null with one trial per item
             */
            passes: string | null;
            /**
             * Scores
             * @description Of the scores and ranks
             */
            scores: string;
        };
        /**
         * LeanItem
         * @description An item as a row of a table: texts are cut at 300 characters.
         */
        LeanItem: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Dataset Id */
            dataset_id: string;
            /**
             * Expected Output
             * @description The beginning of the expected output, as with `input`
             */
            expected_output: string | null;
            /** Expected Output Size */
            expected_output_size: number;
            /** Id */
            id: string;
            /**
             * Input
             * @description The beginning of the input: a string as it is, all else as JSON text
             */
            input: string;
            /**
             * Input Size
             * @description Bytes of the whole text in UTF-8
             */
            input_size: number;
            /** Key */
            key: string | null;
            /**
             * Metadata
             * @description The beginning of the metadata as JSON text
             */
            metadata: string | null;
            /** Metadata Size */
            metadata_size: number;
        };
        /**
         * LeanRun
         * @description A run as a row of a table: texts are cut at 300 characters, scores are reduced to their values.
         */
        LeanRun: {
            /** Attempts */
            attempts: number;
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Dataset Item Id */
            dataset_item_id: string;
            error: components["schemas"]["RunError"] | null;
            /**
             * Expected Output
             * @description The beginning of the item's expected output, as with `input`
             */
            expected_output: string | null;
            /** Expected Output Size */
            expected_output_size: number;
            /** Experiment Id */
            experiment_id: string;
            /** Id */
            id: string;
            /**
             * Input
             * @description The beginning of the item's input: a string as it is, all else as JSON text
             */
            input: string | null;
            /**
             * Input Size
             * @description Bytes of the whole text in UTF-8
             */
            input_size: number;
            /**
             * Output
             * @description The beginning of the output, as with `input`
             */
            output: string | null;
            /** Output Size */
            output_size: number;
            /**
             * Scores
             * @description By scorer
             */
            scores: components["schemas"]["LeanScore"][];
            /** Trace Id */
            trace_id: string | null;
            /** Trial */
            trial: number;
        };
        /**
         * LeanScore
         * @description The state of a run for one scorer: its score, or why there is none.
         */
        LeanScore: {
            /** Has Rationale */
            has_rationale: boolean;
            /** Reason */
            reason: string | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * State
             * @enum {string}
             */
            state: "scored" | "absent" | "failed" | "pending";
            /**
             * Value
             * @description Of several scores by one scorer each has an entry, newest first
             */
            value: number | string | null;
        };
        /**
         * LoginCode
         * @description The code after `/login#code=` in a login link.
         */
        LoginCode: {
            /**
             * Code
             * @description Works once
             */
            code: string;
            /**
             * Expires At
             * Format: date-time
             * @description Until when it works
             * @example 2026-02-21T22:00:00.000Z
             */
            expires_at: string;
            /**
             * Key Id
             * @description The key that the session will stand for
             */
            key_id: string;
        };
        /**
         * MeanOverRuns
         * @description A mean over runs, or over scenarios.
         */
        MeanOverRuns: {
            /**
             * Ci Method
             * @description How the interval was made
             */
            ci_method: string;
            /**
             * Confidence Interval 95
             * @description Of the mean
             */
            confidence_interval_95: [
                number,
                number
            ];
            /**
             * Flags
             * @description What a reader should know before trusting it
             */
            flags?: string[];
            /**
             * Mean
             * @description Mean over the runs
             */
            mean: number;
            /**
             * Run Count
             * @description Number of runs
             */
            run_count: number;
            /**
             * Standard Deviation
             * @description Of the sample; null for a single run
             */
            standard_deviation: number | null;
        };
        /**
         * MeanSummary
         * @description A figure over runs; over several scenarios, also a rate: every scenario counts the same.
         */
        MeanSummary: {
            /**
             * Ci Method
             * @description How the interval was made
             */
            ci_method: string;
            /**
             * Confidence Interval 95
             * @description Of the mean
             */
            confidence_interval_95: [
                number,
                number
            ];
            /**
             * Flags
             * @description What a reader should know before trusting it
             */
            flags?: string[];
            /**
             * Kind
             * @description Of the metric
             * @enum {string}
             */
            kind: "rate" | "figure";
            /**
             * Mean
             * @description Mean over the runs
             */
            mean: number;
            /**
             * Run Count
             * @description Number of runs
             */
            run_count: number;
            /**
             * Standard Deviation
             * @description Of the sample; null for a single run
             */
            standard_deviation: number | null;
        };
        /** MetadataKey */
        MetadataKey: {
            /**
             * Always
             * @description Every project has it
             */
            always: boolean;
            /** Key */
            key: string;
            /**
             * Ready
             * @description False while spans that were there before are being indexed
             */
            ready: boolean;
        };
        /** MetadataKeys */
        MetadataKeys: {
            /**
             * Job Id
             * @description The job that indexes what is stored, when one was started
             */
            job_id?: string | null;
            /** Keys */
            keys: components["schemas"]["MetadataKey"][];
            /** Project Id */
            project_id: string;
        };
        /**
         * MetricDefinition
         * @description One metric of a family: its name, and how it is put together and shown.
         */
        MetricDefinition: {
            /**
             * Description
             * @description What it means, in a sentence
             */
            description: string;
            /**
             * Direction
             * @description Which values are good; neutral where neither is
             * @enum {string}
             */
            direction: "higher" | "lower" | "neutral";
            /**
             * Group
             * @description Group of leaderboard columns that it is shown in
             */
            group: string;
            /**
             * Headline
             * @description Whether the short table in the terminal has it
             * @default false
             */
            headline: boolean;
            /**
             * Kind
             * @description What its value in one run is
             * @enum {string}
             */
            kind: "rate" | "figure" | "count" | "time" | "label" | "labels";
            /**
             * Label
             * @description Heading of its column
             */
            label: string;
            /**
             * Labels
             * @description Of a label: all that it can be, in order
             */
            labels?: string[];
            /**
             * Maximum
             * @description Of a figure: its largest value
             * @default 1
             */
            maximum: number;
            /**
             * Name
             * @description Key in `metrics`, e.g. false_alarm
             */
            name: string;
            /**
             * Unit
             * @description Of a time: what is counted, in the plural
             * @default steps
             */
            unit: string;
        };
        /**
         * MetricDraft
         * @description One number (or label) about a whole experiment; without one, why there is none.
         */
        MetricDraft: {
            /** Ci Method */
            ci_method?: string | null;
            /** Confidence Interval 95 */
            confidence_interval_95?: [
                number,
                number
            ] | null;
            /**
             * N
             * @description How many runs it is over
             */
            n?: number | null;
            /**
             * Reason
             * @description Why there is no value, or no interval
             */
            reason?: string | null;
            /** Value */
            value?: number | string | null;
        };
        /**
         * MetricGroup
         * @description Metrics that are shown together.
         */
        MetricGroup: {
            /**
             * Description
             * @description What a reader has to know to read these columns
             */
            description: string;
            /**
             * Label
             * @description Heading of the section
             */
            label: string;
            /**
             * Name
             * @description What `MetricDefinition.group` refers to
             */
            name: string;
        };
        /** Metrics */
        Metrics: {
            /** Experiment Id */
            experiment_id: string;
            /**
             * Metrics
             * @description By name
             */
            metrics: {
                [key: string]: components["schemas"]["ExperimentMetric"];
            };
        };
        /**
         * MissingCount
         * @description Runs without a score, for one reason.
         */
        MissingCount: {
            /** Count */
            count: number;
            /**
             * Reason
             * @description Null while a job is to make the score
             */
            reason: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "scored" | "absent" | "failed" | "pending";
        };
        /** ModelPrice */
        ModelPrice: {
            /**
             * Cached Input Usd Per Million
             * @description Null: as other input
             */
            cached_input_usd_per_million: number | null;
            /** Input Usd Per Million */
            input_usd_per_million: number;
            /** Model */
            model: string;
            /** Output Usd Per Million */
            output_usd_per_million: number;
            /**
             * Since
             * @description Null: always
             */
            since?: string | null;
        };
        /** ModelPriceDraft */
        ModelPriceDraft: {
            /**
             * Cached Input Usd Per Million
             * @description Of input that the provider had cached; as other input when left out
             */
            cached_input_usd_per_million?: number | null;
            /**
             * Input Usd Per Million
             * @description US dollars for a million tokens of input
             */
            input_usd_per_million: number;
            /**
             * Model
             * @description As judges name it: `openai/gpt-4o`, or the model alone
             */
            model: string;
            /**
             * Output Usd Per Million
             * @description US dollars for a million tokens of output
             */
            output_usd_per_million: number;
            /**
             * Since
             * @description The day (UTC) from which on it holds; always when left out. A model may have several
             */
            since?: string | null;
        };
        /** ModelSpending */
        ModelSpending: {
            /** Calls */
            calls: number;
            /** Model */
            model: string;
            /** Tokens */
            tokens: number;
            /** Usd */
            usd: number;
        };
        /** NewKey */
        NewKey: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /**
             * Expires At
             * @description When it ends by itself
             */
            expires_at?: string | null;
            /** Id */
            id: string;
            /**
             * Key
             * @description The secret. Shown once, only its hash is kept: a retry with the same Idempotency-Key gets null
             */
            key: string | null;
            /** Name */
            name: string | null;
            /** Project Id */
            project_id: string | null;
            /**
             * Role
             * @enum {string}
             */
            role: "reviewer" | "read" | "write" | "admin";
        };
        /** NewShare */
        NewShare: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /**
             * Expires At
             * Format: date-time
             * @description When the link ends by itself
             * @example 2026-02-21T22:00:00.000Z
             */
            expires_at: string;
            /** Id */
            id: string;
            /**
             * Kind
             * @description What kind of view it shows
             * @enum {string}
             */
            kind: "compare" | "experiment" | "trace" | "iteration" | "leaderboard";
            /**
             * Path
             * @description The view's address in the page
             */
            path: string;
            /** Project Id */
            project_id: string;
            /**
             * Url Path
             * @description `/share#token=…` on this server. Shown once, only the hash of the token is kept
             */
            url_path: string;
        };
        /** NextCard */
        NextCard: {
            card: components["schemas"]["QueueItem"] | null;
            counts: components["schemas"]["ReviewCounts"];
        };
        /**
         * OtherRubric
         * @description The same iteration by another rubric version.
         */
        OtherRubric: {
            /** Band */
            band: string;
            /** Id */
            id: string;
            /** Rubric Version */
            rubric_version: string;
            /** Value */
            value: number | null;
        };
        /**
         * OutcomeSession
         * @description A session as a server shows it, by one rubric, with the uncertainty of its mean.
         */
        OutcomeSession: {
            /**
             * Band
             * @description As the rubric names it; null when the rubric is not known here
             */
            band: string | null;
            /** Ci Method */
            ci_method: string | null;
            /**
             * Ci Reason
             * @description Why there is no interval; null when there is one
             */
            ci_reason: string | null;
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /**
             * Flags
             * @description What a reader should know before trusting the interval
             */
            flags: string[];
            /**
             * Iterations
             * @description Ascending
             */
            iterations: number[];
            /**
             * N Provisional
             * @description Of the scored iterations, how many are provisional, and not in `value`
             */
            n_provisional: number;
            /** N Scored */
            n_scored: number;
            /** Per Iteration */
            per_iteration: components["schemas"]["SessionIteration"][];
            /**
             * Provisional Value
             * @description Mean of the provisional ones, apart; null when there are none
             */
            provisional_value?: number | null;
            /** Rubric Version */
            rubric_version: string;
            /** Session Id */
            session_id: string;
            /** Source */
            source: string;
            /**
             * Value
             * @description Mean of the scored iterations that are not provisional; null when there are none
             */
            value: number | null;
        };
        /** Page[Annotation] */
        Page_Annotation_: {
            /** Items */
            items: components["schemas"]["Annotation"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[Conversation] */
        Page_Conversation_: {
            /** Items */
            items: components["schemas"]["Conversation"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[ConversationTurn] */
        Page_ConversationTurn_: {
            /** Items */
            items: components["schemas"]["ConversationTurn"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[DatasetVersion] */
        Page_DatasetVersion_: {
            /** Items */
            items: components["schemas"]["DatasetVersion"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[ExperimentPoint] */
        Page_ExperimentPoint_: {
            /** Items */
            items: components["schemas"]["ExperimentPoint"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[ItemRun] */
        Page_ItemRun_: {
            /** Items */
            items: components["schemas"]["ItemRun"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[Iteration] */
        Page_Iteration_: {
            /** Items */
            items: components["schemas"]["Iteration"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[Job] */
        Page_Job_: {
            /** Items */
            items: components["schemas"]["Job"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[Judge] */
        Page_Judge_: {
            /** Items */
            items: components["schemas"]["Judge"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[Key] */
        Page_Key_: {
            /** Items */
            items: components["schemas"]["Key"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[OutcomeSession] */
        Page_OutcomeSession_: {
            /** Items */
            items: components["schemas"]["OutcomeSession"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[Project] */
        Page_Project_: {
            /** Items */
            items: components["schemas"]["Project"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[QueueItem] */
        Page_QueueItem_: {
            /** Items */
            items: components["schemas"]["QueueItem"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[Rule] */
        Page_Rule_: {
            /** Items */
            items: components["schemas"]["Rule"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[ScorerInUse] */
        Page_ScorerInUse_: {
            /** Items */
            items: components["schemas"]["ScorerInUse"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[ScoringState] */
        Page_ScoringState_: {
            /** Items */
            items: components["schemas"]["ScoringState"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[ThresholdRecord] */
        Page_ThresholdRecord_: {
            /** Items */
            items: components["schemas"]["ThresholdRecord"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /** Page[ViewShare] */
        Page_ViewShare_: {
            /** Items */
            items: components["schemas"]["ViewShare"][];
            /** Limit */
            limit: number;
            /** Next Cursor */
            next_cursor: string | null;
        };
        /**
         * PastSpanFilter
         * @description Which of the spans that are there already.
         */
        PastSpanFilter: {
            /** Has Error */
            has_error?: boolean | null;
            /**
             * Metadata
             * @description Every key with exactly this value
             */
            metadata?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** Model */
            model?: string | null;
            /** Name */
            name?: string | null;
            /**
             * Root Only
             * @default false
             */
            root_only: boolean | null;
            /**
             * Since
             * @description Started at this moment or later
             */
            since?: string | null;
            /**
             * Until
             * @description Started before this moment
             */
            until?: string | null;
        };
        /** PlaygroundAccepted */
        PlaygroundAccepted: {
            /**
             * Answers
             * @description How many the job is to bring: candidates × items × trials
             */
            answers: number;
            /**
             * Experiments
             * @description One per candidate, in the order of the request
             */
            experiments: components["schemas"]["PlaygroundExperiment"][];
            /** Item Ids */
            item_ids: string[];
            /** Job Id */
            job_id: string;
        };
        /**
         * PlaygroundExperiment
         * @description Where the answers of one candidate are stored.
         */
        PlaygroundExperiment: {
            /** Experiment Id */
            experiment_id: string;
            /** Model */
            model: string;
            /** Name */
            name: string;
        };
        /**
         * PlaygroundPreview
         * @description What a playground run would take. Nothing was stored, and no model was asked.
         */
        PlaygroundPreview: {
            /**
             * Budget Left Usd
             * @description Of today; null without a limit
             */
            budget_left_usd: number | null;
            /**
             * By Scorer
             * @description Over the answers of all candidates
             */
            by_scorer: components["schemas"]["ScorerPreview"][];
            /**
             * Calls
             * @description Of all candidates; those of judges are in `by_scorer`
             */
            calls: number;
            /**
             * Candidates
             * @description In the order of the request
             */
            candidates: components["schemas"]["CandidatePreview"][];
            /**
             * Cost Usd Estimate
             * @description Null when a part of it is not known
             */
            cost_usd_estimate: number | null;
            /** Items */
            items: number;
            /** Notes */
            notes: string[];
            /** Trials */
            trials: number;
        };
        /** Prices */
        Prices: {
            /**
             * Prices
             * @description By the name of the model
             */
            prices: components["schemas"]["ModelPrice"][];
            /** Project Id */
            project_id: string;
        };
        /**
         * Probe
         * @description What a model did when it was asked on purpose: the same twice, in another order, with a plea in the output.
         */
        Probe: {
            /** Calls */
            calls: number;
            /**
             * Cost Usd
             * @description Of all calls; null when a price is not known
             */
            cost_usd: number | null;
            /** Failure Reasons */
            failure_reasons: {
                [key: string]: number;
            };
            /** @description Share of outputs whose plea got the answer that it asked for */
            injection_flipped: components["schemas"]["Figure"];
            /** @description Mean change of the score by a plea for the highest one */
            injection_shift: components["schemas"]["Figure"];
            /**
             * Made At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            made_at: string;
            /**
             * Model
             * @description As it called itself
             */
            model: string;
            parse_failures: components["schemas"]["Figure"];
            /** @description How often the same prompt got the same answer again */
            retest_agreement: components["schemas"]["Figure"];
            /** @description Mean distance of the two answers */
            retest_difference: components["schemas"]["Figure"];
            /**
             * Samples
             * @description Stored targets that were asked about
             */
            samples: number;
            /** Seed */
            seed: number;
            /** @description How often the answer stayed when the labels stood in reverse order */
            swap_agreement: components["schemas"]["Figure"];
            /** @description How much more often a label is chosen when it stands first, not last */
            swap_first_listed: components["schemas"]["Figure"];
            /** Tokens Input */
            tokens_input: number | null;
            /** Tokens Output */
            tokens_output: number | null;
            /**
             * Unanswered
             * @description Why calls had no answer at all → how many
             */
            unanswered: {
                [key: string]: number;
            };
        };
        /**
         * ProbePlan
         * @description What a probe would take, before it starts. Nothing was stored, and no model was asked.
         */
        ProbePlan: {
            /**
             * Budget Left Tokens
             * @description Of today; null without a limit
             */
            budget_left_tokens: number | null;
            /**
             * Budget Left Usd
             * @description Of today; null without a limit
             */
            budget_left_usd: number | null;
            /**
             * Calls
             * @description At most: of a target whose first answer is not readable, one fewer
             */
            calls: number;
            /** Config Hash */
            config_hash: string;
            /**
             * Cost Usd Estimate
             * @description Null when nothing says what the model costs
             */
            cost_usd_estimate: number | null;
            /**
             * Estimate From
             * @description Where the price comes from
             */
            estimate_from: ("past calls" | "price list") | null;
            /** Model */
            model: string;
            /** Notes */
            notes: string[];
            /**
             * Refusal
             * @description Why it cannot be started now; null when it can
             */
            refusal: string | null;
            /**
             * Samples
             * @description Targets that would be asked about
             */
            samples: number;
            /** Scorer Name */
            scorer_name: string;
            /** Seed */
            seed: number;
            /** Tokens Input Estimate */
            tokens_input_estimate: number;
            /** Tokens Output Estimate */
            tokens_output_estimate: number;
        };
        /** Project */
        Project: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Id */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * ProjectContents
         * @description How much a project holds: what is deleted with it.
         */
        ProjectContents: {
            /**
             * Dataset Items
             * @description Of the newest versions
             */
            dataset_items: number;
            /** Datasets */
            datasets: number;
            /** Experiments */
            experiments: number;
            /** Iterations */
            iterations: number;
            /**
             * Keys
             * @description API keys that are bound to the project
             */
            keys: number;
            /** Project Id */
            project_id: string;
            /** Rules */
            rules: number;
            /** Runs */
            runs: number;
            /** Spans */
            spans: number;
            /** Traces */
            traces: number;
        };
        /** ProjectSummary */
        ProjectSummary: {
            experiments: components["schemas"]["ExperimentCounts"];
            /** Project Id */
            project_id: string;
            queue: components["schemas"]["QueueCounts"];
            traces: components["schemas"]["TraceWindows"];
        };
        /**
         * PromptMessage
         * @description One message of a prompt. `{{input}}`, `{{input.KEY}}` and `{{metadata.KEY}}` stand for parts of the item.
         */
        PromptMessage: {
            /** Content */
            content: string;
            /**
             * Role
             * @enum {string}
             */
            role: "system" | "user" | "assistant";
        };
        /** QueueCounts */
        QueueCounts: {
            /** Annotated Count */
            annotated_count: number;
            /** Pending Count */
            pending_count: number;
        };
        /** Queued */
        Queued: {
            /** Queued */
            queued: boolean;
            /** Queued At */
            queued_at?: string | null;
            /** Reason */
            reason?: string | null;
            /** Trace Id */
            trace_id: string;
        };
        /** QueuedRun */
        QueuedRun: {
            /** Queued */
            queued: boolean;
            /** Queued At */
            queued_at?: string | null;
            /** Reason */
            reason?: string | null;
            /** Run Id */
            run_id: string;
        };
        /** QueuedTargets */
        QueuedTargets: {
            /**
             * Already
             * @description Those that wait already; they keep their place and their reason
             */
            already: number;
            /** Queued */
            queued: number;
        };
        /**
         * QueueItem
         * @description A card of the queue: a trace, or a run of an experiment.
         */
        QueueItem: {
            /** Annotation Count */
            annotation_count: number;
            answer?: components["schemas"]["ReadableText"] | null;
            /**
             * Claimed By
             * @description Who holds it at this moment
             */
            claimed_by?: string | null;
            /** Claimed Until */
            claimed_until?: string | null;
            /** Experiment Id */
            experiment_id?: string | null;
            /** Experiment Name */
            experiment_name?: string | null;
            question?: components["schemas"]["ReadableText"] | null;
            /**
             * Queued At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            queued_at: string;
            /** Reason */
            reason?: string | null;
            /**
             * Reviewer Count
             * @description Different people that annotated it
             * @default 0
             */
            reviewer_count: number;
            /**
             * Reviews Wanted
             * @default 1
             */
            reviews_wanted: number;
            root_span: components["schemas"]["RootSpan"] | null;
            /** Run Id */
            run_id?: string | null;
            /**
             * Status
             * @enum {string}
             */
            status: "pending" | "annotated";
            /**
             * Target Id
             * @default
             */
            target_id: string;
            /**
             * Target Type
             * @default trace
             * @enum {string}
             */
            target_type: "trace" | "run";
            /** Trace Id */
            trace_id: string | null;
        };
        /** QueueTarget */
        QueueTarget: {
            /** Target Id */
            target_id: string;
            /**
             * Target Type
             * @description Of a span its trace is queued
             * @enum {string}
             */
            target_type: "trace" | "run" | "span";
            /**
             * Trace Id
             * @description Needed when several traces hold that span id
             */
            trace_id?: string | null;
        };
        /**
         * ReadableChat
         * @description A chat as a person reads it, without its oldest messages where it is long.
         */
        ReadableChat: {
            /**
             * Left Out
             * @description Messages before these
             */
            left_out: number;
            /** Messages */
            messages: components["schemas"]["ReadableMessage"][];
        };
        /**
         * ReadableMessage
         * @description One message of a chat as a person reads it.
         */
        ReadableMessage: {
            /** Role */
            role: string;
            /** Text */
            text: string;
        };
        /**
         * ReadableText
         * @description A value as a person reads it, cut where it is long.
         */
        ReadableText: {
            /**
             * Format
             * @description `chat`: of a list of messages, the last one that is meant
             * @enum {string}
             */
            format: "text" | "chat" | "json";
            /**
             * Size
             * @description Bytes of the whole text
             */
            size: number;
            /** Text */
            text: string;
            /** Truncated */
            truncated: boolean;
        };
        /**
         * Retention
         * @description After how many days without a new span a trace is deleted. What runs, dataset items, annotations, people's scores
         *     or the review queue refer to stays.
         */
        Retention: {
            /** Keep Scored */
            keep_scored: boolean;
            /** Project Id */
            project_id: string;
            /**
             * Retention Days
             * @description Null: for ever
             */
            retention_days: number | null;
        };
        /** ReviewAgreement */
        ReviewAgreement: {
            /**
             * Disagreements
             * @description The largest first, at most 50
             */
            disagreements: components["schemas"]["Disagreement"][];
            labels: components["schemas"]["ReviewerAlpha"];
            numbers: components["schemas"]["ReviewerAlpha"];
            /** Pairs */
            pairs: components["schemas"]["ReviewerPair"][];
            /** Reviewers */
            reviewers: components["schemas"]["ReviewerShare"][];
            /**
             * Scorer Name
             * @description Whose numbers are compared
             */
            scorer_name: string;
        };
        /**
         * ReviewCard
         * @description One card in full, with the annotations and scores that the caller may see.
         */
        ReviewCard: {
            /** Annotation Count */
            annotation_count: number;
            /** Annotations */
            annotations: components["schemas"]["Annotation"][];
            answer?: components["schemas"]["ReadableText"] | null;
            /** @description The whole chat that was asked, where it is more than one message */
            chat?: components["schemas"]["ReadableChat"] | null;
            /**
             * Claimed By
             * @description Who holds it at this moment
             */
            claimed_by?: string | null;
            /** Claimed Until */
            claimed_until?: string | null;
            /** @description Of a run, what its dataset item expects */
            expected?: components["schemas"]["ReadableText"] | null;
            /** Experiment Id */
            experiment_id?: string | null;
            /** Experiment Name */
            experiment_name?: string | null;
            /**
             * Others Hidden
             * @description Whether other people's annotations and scores are held back until the caller has annotated
             */
            others_hidden: boolean;
            question?: components["schemas"]["ReadableText"] | null;
            /**
             * Queued At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            queued_at: string;
            /** Reason */
            reason?: string | null;
            /**
             * Reviewer Count
             * @description Different people that annotated it
             * @default 0
             */
            reviewer_count: number;
            /**
             * Reviews Wanted
             * @default 1
             */
            reviews_wanted: number;
            root_span: components["schemas"]["RootSpan"] | null;
            /** Run Id */
            run_id?: string | null;
            /**
             * Scores
             * @description The scores of the run, or of the trace's root span
             */
            scores: components["schemas"]["Score"][];
            /** @description How its project reviews: the labels to choose from, and the rest */
            settings: components["schemas"]["ReviewSettings"];
            /**
             * Status
             * @enum {string}
             */
            status: "pending" | "annotated";
            /**
             * Target Id
             * @default
             */
            target_id: string;
            /**
             * Target Type
             * @default trace
             * @enum {string}
             */
            target_type: "trace" | "run";
            /** Trace Id */
            trace_id: string | null;
        };
        /**
         * ReviewClaim
         * @description The claim of a reviewer on a card, so that no other works on it meanwhile.
         */
        ReviewClaim: {
            /** Claimed By */
            claimed_by: string | null;
            /** Claimed Until */
            claimed_until: string | null;
            /** Target Id */
            target_id: string;
            /**
             * Target Type
             * @enum {string}
             */
            target_type: "trace" | "run";
        };
        /**
         * ReviewCounts
         * @description Counts of the cards of a queue.
         */
        ReviewCounts: {
            /** Annotated */
            annotated: number;
            /**
             * Left For Me
             * @description Pending ones that the reviewer has not annotated
             */
            left_for_me: number;
            /**
             * Mine
             * @description Those that the reviewer has annotated
             */
            mine: number;
            /** Pending */
            pending: number;
        };
        /**
         * ReviewerAlpha
         * @description Krippendorff's α over cards with two reviewers or more.
         */
        ReviewerAlpha: {
            /** Alpha */
            alpha: number | null;
            /**
             * Ci 95
             * @description By bootstrap over cards, seeded
             */
            ci_95: [
                number,
                number
            ] | null;
            /**
             * N
             * @description Cards with two reviewers or more
             */
            n: number;
            /**
             * Reason
             * @description Why there is no α, or no interval
             */
            reason: string | null;
        };
        /** ReviewerPair */
        ReviewerPair: {
            /**
             * Agreement
             * @description Share of those with the same label
             */
            agreement: number | null;
            /** Alpha */
            alpha: number | null;
            /**
             * Ci 95
             * @description Of α, by bootstrap over cards, seeded
             */
            ci_95?: [
                number,
                number
            ] | null;
            /**
             * N
             * @description Cards that both labelled
             */
            n: number;
            /** Reason */
            reason: string | null;
            /** Reviewers */
            reviewers: [
                string,
                string
            ];
        };
        /** ReviewerRating */
        ReviewerRating: {
            /** Annotator */
            annotator: string;
            /** Label */
            label: string | null;
            /** Value */
            value: number | null;
        };
        /** ReviewerShare */
        ReviewerShare: {
            /** Annotator */
            annotator: string;
            /**
             * Labels
             * @description Label to its share of those
             */
            labels: {
                [key: string]: number;
            };
            /**
             * N
             * @description Cards that this reviewer labelled
             */
            n: number;
        };
        /** ReviewLabel */
        ReviewLabel: {
            /**
             * Hint
             * @description When to give it
             */
            hint?: string | null;
            /** Label */
            label: string;
            /**
             * Value
             * @description The human score that this label gives; null: none
             */
            value?: number | null;
        };
        /** ReviewLink */
        ReviewLink: {
            /**
             * Expires At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            expires_at: string;
            /**
             * Key Id
             * @description The reviewer's key, to be revoked when they should stop
             */
            key_id: string;
            /**
             * Url Path
             * @description `/login#code=…` on this server; it works once
             */
            url_path: string;
        };
        /** ReviewSettings */
        ReviewSettings: {
            /** Blind */
            blind: boolean;
            /** Free Labels */
            free_labels: boolean;
            /** Labels */
            labels: components["schemas"]["LabelOfSet"][];
            /** Reviews Wanted */
            reviews_wanted: number;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Updated At
             * @description Null while nobody set them
             */
            updated_at: string | null;
        };
        /**
         * RoleHonesty
         * @description How far one role's claims about one signal are borne out. Means over the comparable iterations.
         */
        RoleHonesty: {
            /** Ci Method */
            ci_method: string | null;
            /**
             * Ci Reason
             * @description Why there is no interval; null when there is one
             */
            ci_reason: string | null;
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /**
             * Flags
             * @description What a reader should know before trusting the interval
             */
            flags: string[];
            /**
             * Mean Delta
             * @description Observed minus claimed; negative means more was claimed
             */
            mean_delta: number | null;
            /**
             * N
             * @description Iterations in which both the claim and the fact are known
             */
            n: number;
            /** N Claimed Only */
            n_claimed_only: number;
            /** N Observed Only */
            n_observed_only: number;
            /** Overclaim Share */
            overclaim_share: number | null;
            /** Overclaim Share Ci 95 */
            overclaim_share_ci_95: [
                number,
                number
            ] | null;
            /**
             * Overclaimed
             * @description Iterations that claimed more than is true
             */
            overclaimed: number;
            /**
             * Role
             * @enum {string}
             */
            role: "impl" | "verifier" | "review";
            /** Signal */
            signal: string;
        };
        /**
         * RootSpan
         * @description What a reviewer needs of a root span in a list. Long input and output are cut.
         */
        RootSpan: {
            /** Duration Ms */
            duration_ms: number | null;
            /** Id */
            id: string;
            /** Input */
            input: unknown;
            /**
             * Input Size
             * @description Bytes of the whole input
             * @default 0
             */
            input_size: number;
            /** Name */
            name: string;
            /** Output */
            output: unknown;
            /**
             * Output Size
             * @default 0
             */
            output_size: number;
            /**
             * Truncated
             * @default []
             */
            truncated: ("input" | "output")[];
        };
        /** Rule */
        Rule: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Enabled */
            enabled: boolean;
            filter: components["schemas"]["SpanFilter"];
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Project Id */
            project_id: string;
            /** Sampling Rate */
            sampling_rate: number;
            scorer: components["schemas"]["ScorerSpec"];
            /**
             * Target
             * @default span
             * @enum {string}
             */
            target: "span" | "trace" | "conversation";
            /**
             * Updated At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * RulePreview
         * @description What a rule would have scored in the last days. Nothing was stored, and no model was called.
         */
        RulePreview: {
            /**
             * Budget Left Usd
             * @description Of today; null without a limit
             */
            budget_left_usd: number | null;
            /**
             * Complete
             * @description False when there were too many, and only the newest traces were looked at
             */
            complete: boolean;
            /**
             * Cost Usd Per Day Estimate
             * @description Null when nothing says what the model costs
             */
            cost_usd_per_day_estimate: number | null;
            /** Days */
            days: number;
            /**
             * Looked At Spans
             * @description Spans of the traces that came since then
             */
            looked_at_spans: number;
            /**
             * Matched Spans
             * @description Spans that match the filter
             */
            matched_spans: number;
            /** Notes */
            notes: string[];
            /**
             * Sample Trace Ids
             * @description Up to 10 traces in which a span matches, the newest first
             */
            sample_trace_ids: string[];
            /**
             * Sampled
             * @description Those of them that it would have scored
             */
            sampled: number;
            /** @description What scoring them would have taken */
            scoring: components["schemas"]["ScorerPreview"];
            /**
             * Since
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            since: string;
            /**
             * Targets
             * @description Spans, traces or conversations that it means, before sampling
             */
            targets: number;
        };
        /** Run */
        Run: {
            /**
             * Attempts
             * @description How often it was run: one more each time a failed run is replaced
             * @default 1
             */
            attempts: number;
            /**
             * Created At
             * Format: date-time
             * @description Of the first attempt
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Dataset Item Id */
            dataset_item_id: string;
            error: components["schemas"]["RunError"] | null;
            /**
             * Expected Output
             * @description The dataset item's
             */
            expected_output: unknown;
            /** Experiment Id */
            experiment_id: string;
            /** Id */
            id: string;
            /**
             * Input
             * @description The dataset item's
             */
            input: unknown;
            /** Output */
            output: unknown;
            /**
             * Score States
             * @description The scorers of which it has no score, and why
             */
            score_states?: components["schemas"]["RunScoreState"][];
            /** Scores */
            scores: components["schemas"]["Score"][];
            /** Trace Id */
            trace_id: string | null;
            /** Trial */
            trial: number;
        };
        /**
         * RunCost
         * @description Cost, tokens and time of runs. Runs of unknown cost are left out, not counted as free.
         */
        RunCost: {
            /**
             * Currency
             * @default USD
             * @constant
             */
            currency: "USD";
            /**
             * Known Runs
             * @description Runs whose cost is known; the amounts are of these
             */
            known_runs: number;
            /** Per Run */
            per_run: number | null;
            /** Per Run Ci 95 */
            per_run_ci_95: [
                number,
                number
            ] | null;
            /**
             * Per Success
             * @description Total by successes, over the runs whose cost is known
             */
            per_success: number | null;
            /**
             * Reason
             * @description Why an amount or its interval is missing
             */
            reason?: string | null;
            /** Run Count */
            run_count: number;
            /**
             * Seconds Per Run
             * @description Waiting for the agent, over the runs that say it
             */
            seconds_per_run: number | null;
            /**
             * Tokens Per Run
             * @description In and out, over the runs that say both
             */
            tokens_per_run: number | null;
            /** Total */
            total: number | null;
        };
        /**
         * RunDetail
         * @description A single run. With `max_bytes`, what is longer is cut and becomes text.
         */
        RunDetail: {
            /**
             * Attempts
             * @description How often it was run: one more each time a failed run is replaced
             * @default 1
             */
            attempts: number;
            /**
             * Created At
             * Format: date-time
             * @description Of the first attempt
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Dataset Item Id */
            dataset_item_id: string;
            error: components["schemas"]["RunError"] | null;
            /**
             * Expected Output
             * @description The dataset item's
             */
            expected_output: unknown;
            /** Expected Output Size */
            expected_output_size: number;
            /** Experiment Id */
            experiment_id: string;
            /** Id */
            id: string;
            /**
             * Input
             * @description The dataset item's
             */
            input: unknown;
            /**
             * Input Size
             * @description Bytes of the whole text in UTF-8: of a string itself, else of its JSON
             */
            input_size: number;
            /** Output */
            output: unknown;
            /** Output Size */
            output_size: number;
            /**
             * Score States
             * @description The scorers of which it has no score, and why
             */
            score_states?: components["schemas"]["RunScoreState"][];
            /** Scores */
            scores: components["schemas"]["ScoreWithJob"][];
            /** Trace Id */
            trace_id: string | null;
            /** Trial */
            trial: number;
            /**
             * Truncated
             * @description Which of them are cut: they are then the beginning of the text, whatever they were before
             */
            truncated: ("input" | "output" | "expected_output")[];
        };
        /** RunDraft */
        RunDraft: {
            /** Dataset Item Id */
            dataset_item_id: string;
            error?: components["schemas"]["RunError"] | null;
            /** Output */
            output?: unknown;
            /** Scores */
            scores?: components["schemas"]["InlineScoreDraft"][] | null;
            /** Trace Id */
            trace_id?: string | null;
            /**
             * Trial
             * @default 0
             */
            trial: number | null;
        };
        /** RunError */
        RunError: {
            /** Message */
            message: string;
            /** Type */
            type?: string | null;
        };
        /** RunsAccepted */
        RunsAccepted: {
            /** Accepted */
            accepted: number;
            /** Job Ids */
            job_ids: string[];
            /** Run Ids */
            run_ids: string[];
        };
        /**
         * RunScoreState
         * @description Why a run has no score of a scorer that others in its experiment have, or are to have.
         */
        RunScoreState: {
            /** Config Hash */
            config_hash: string | null;
            /** Job Id */
            job_id: string | null;
            /**
             * Reason
             * @description As the summary's `reasons` has it; null while a job is to make the score
             */
            reason: string | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * State
             * @enum {string}
             */
            state: "absent" | "failed" | "pending";
        };
        /**
         * RunTranscript
         * @description One run of an experiment as a transcript, read from its trace.
         */
        RunTranscript: {
            /** Agent Id */
            agent_id: string;
            /**
             * Claims
             * @description In the order of the score's evidence
             */
            claims: components["schemas"]["TranscriptClaim"][];
            /** Dataset Id */
            dataset_id: string;
            /** Dataset Item Id */
            dataset_item_id: string;
            /** Experiment Id */
            experiment_id: string;
            /**
             * Family
             * @description Of the benchmark; null where the run is not a benchmark's
             */
            family: string | null;
            /** Metrics */
            metrics: components["schemas"]["TranscriptMetric"][];
            /** Notes */
            notes: string[];
            /**
             * Reason
             * @description Why the run has no result
             */
            reason: string | null;
            /** Run Id */
            run_id: string;
            /** Scenario Id */
            scenario_id: string;
            /** Step Count */
            step_count: number;
            /**
             * Steps
             * @description At most 500
             */
            steps: components["schemas"]["TranscriptStep"][];
            /**
             * Success
             * @description By the family's rules; null where there is no result
             */
            success: boolean | null;
            /** Trace Id */
            trace_id: string;
            /** Trial */
            trial: number;
            /**
             * Truncated
             * @description Texts that were longer than 4,000 bytes and are cut
             */
            truncated: number;
        };
        /** Score */
        Score: {
            /**
             * Author
             * @description Who gave it, where it came with an annotation
             */
            author?: string | null;
            /** Config */
            config: {
                [key: string]: unknown;
            } | null;
            /** Config Hash */
            config_hash: string | null;
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Id */
            id: string;
            /** Metadata */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Project Id */
            project_id: string;
            /** Rationale */
            rationale: string | null;
            /**
             * Scorer
             * @description The built-in that computed it
             */
            scorer: string | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Source
             * @enum {string}
             */
            source: "api" | "builtin" | "judge" | "human";
            /**
             * Stale
             * @description A score of a whole trace or conversation to which something came later
             * @default false
             */
            stale: boolean;
            /** Target Id */
            target_id: string;
            /**
             * Target Type
             * @enum {string}
             */
            target_type: "run" | "span" | "iteration" | "conversation";
            /**
             * Trace Id
             * @description For a span's score
             */
            trace_id: string | null;
            /** Value */
            value: number | string;
        };
        /**
         * ScoreBucket
         * @description The numbers that one scorer gave to the spans which began in an hour or on a day (UTC).
         */
        ScoreBucket: {
            /** Ci Method */
            ci_method: string;
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ];
            /**
             * Config Hashes
             * @description Configurations of the scorer that are in it; null for scores that were sent as they are
             */
            config_hashes: (string | null)[];
            /**
             * Flags
             * @description What a reader should know before trusting the interval
             */
            flags: string[];
            /** Mean */
            mean: number;
            /**
             * N
             * @description Scores
             */
            n: number;
            /**
             * Start
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            start: string;
        };
        /** ScoreDraft */
        ScoreDraft: {
            /**
             * Absent
             * @description Why there is nothing to score: kept as a scoring state, without a score
             */
            absent?: string | null;
            /**
             * Config
             * @description The scorer's own keys, such as `expected_output`; beside it they are refused
             */
            config?: {
                [key: string]: unknown;
            } | null;
            /**
             * Failed
             * @description Why scoring failed: kept as a scoring state, without a score
             */
            failed?: string | null;
            /** Metadata */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /**
             * Project Id
             * @description Needed when several projects have a conversation of that id, or a span of that id and `trace_id`
             */
            project_id?: string | null;
            /** Rationale */
            rationale?: string | null;
            /**
             * Scorer
             * @description The built-in to run; `scorer_name` unless said
             */
            scorer?: string | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Source
             * @description Only `human` is taken from a caller
             */
            source?: ("api" | "builtin" | "judge" | "human") | null;
            /** Target Id */
            target_id: string;
            /**
             * Target Type
             * @enum {string}
             */
            target_type: "run" | "span" | "iteration" | "conversation";
            /**
             * Trace Id
             * @description Needed for a span of OpenTelemetry's, and when several traces hold that span id
             */
            trace_id?: string | null;
            /** Value */
            value?: number | string | null;
        };
        /**
         * ScorerBrief
         * @description One scorer of one experiment. Every number is that of the experiment's summary.
         */
        ScorerBrief: {
            /** Ci Method */
            ci_method: string | null;
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /**
             * Flags
             * @description What a reader should know before trusting the interval
             */
            flags: string[];
            /**
             * Kind
             * @description Numeric where there is any number; null where nothing is scored
             */
            kind: ("numeric" | "categorical") | null;
            /** Mean */
            mean: number | null;
            /** N Absent */
            n_absent: number;
            /** N Failed */
            n_failed: number;
            /** N Pending */
            n_pending: number;
            /** N Scored */
            n_scored: number;
            /**
             * N Total
             * @description Runs
             */
            n_total: number;
            /**
             * Reasons
             * @description Why runs have no score → how many
             */
            reasons: {
                [key: string]: number;
            };
            /** Scorer Name */
            scorer_name: string;
            /** @description Of a categorical scorer */
            top_label: components["schemas"]["TopLabel"] | null;
        };
        /**
         * ScorerComparison
         * @description One scorer in two experiments over the same dataset. `delta` is compare − base.
         */
        ScorerComparison: {
            /** Base Ci 95 */
            base_ci_95: [
                number,
                number
            ] | null;
            /** Base Mean */
            base_mean: number | null;
            /**
             * Changed Count
             * @description Labels that differ
             */
            changed_count: number;
            /**
             * Ci Method
             * @description Of `delta_ci_95`
             */
            ci_method: string | null;
            /** Compare Ci 95 */
            compare_ci_95: [
                number,
                number
            ] | null;
            /** Compare Mean */
            compare_mean: number | null;
            /** Delta */
            delta: number | null;
            /** Delta Ci 95 */
            delta_ci_95: [
                number,
                number
            ] | null;
            /** Flags */
            flags: string[];
            /** Improved Count */
            improved_count: number;
            /** Mixed */
            mixed: boolean;
            /**
             * More Items
             * @description How many more items would probably decide it; when inconclusive
             */
            more_items: number | null;
            /** Only In Base */
            only_in_base: number;
            /** Only In Compare */
            only_in_compare: number;
            /** P Value */
            p_value: number | null;
            /**
             * P Value Adjusted
             * @description Holm, over the scorers of this comparison
             */
            p_value_adjusted: number | null;
            /** Paired Count */
            paired_count: number;
            /**
             * Paired Delta
             * @description Over the items scored in both
             */
            paired_delta: number | null;
            /**
             * Permutation P Value
             * @description By flipping signs, as a check below 30 items
             */
            permutation_p_value: number | null;
            /** Regressed Count */
            regressed_count: number;
            /** Scorer Name */
            scorer_name: string;
            /** Unchanged Count */
            unchanged_count: number;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "improved" | "regressed" | "equivalent" | "inconclusive";
            /**
             * Words
             * @description The verdict for people
             */
            words: string;
        };
        /**
         * ScorerInUse
         * @description A scorer by name, over all of its configurations.
         */
        ScorerInUse: {
            /**
             * Gives
             * @enum {string}
             */
            gives: "numbers" | "labels" | "mixed";
            /**
             * Is Human
             * @description Some of its scores come from people
             */
            is_human: boolean;
            /**
             * Is Judge
             * @description Some of its scores come from a model that was asked here
             */
            is_judge: boolean;
            /**
             * Last Used
             * Format: date-time
             * @description The latest of: when the newest experiment with its scores was made, the day on which the newest span with a number of it began, and when its newest other score was made
             * @example 2026-02-21T22:00:00.000Z
             */
            last_used: string;
            /**
             * N
             * @description Scores
             */
            n: number;
            /** Name */
            name: string;
            /**
             * Target Types
             * @description What its scores are about
             */
            target_types: ("run" | "span" | "iteration" | "conversation")[];
        };
        /**
         * ScorerPoint
         * @description One scorer in one experiment: the same figures as in the experiment's summary.
         */
        ScorerPoint: {
            /** Ci Method */
            ci_method: string | null;
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /**
             * Flags
             * @description What a reader should know before trusting the interval
             */
            flags: string[];
            /** Mean */
            mean: number | null;
            /**
             * N
             * @description Runs with a score
             */
            n: number;
            /**
             * N Items
             * @description Items with a number
             */
            n_items: number;
            /**
             * Reason
             * @description Why there is no mean
             */
            reason: string | null;
            /** Scorer Name */
            scorer_name: string;
        };
        /** ScorerPreview */
        ScorerPreview: {
            /**
             * Already Scored
             * @description Targets that `only_missing` leaves out
             */
            already_scored: number;
            /**
             * Cached
             * @description Answers that are known from earlier calls
             */
            cached: number;
            /**
             * Calls
             * @description Calls to the model, votes counted
             */
            calls: number;
            /**
             * Cost Usd Estimate
             * @description Null when nothing says what the model costs
             */
            cost_usd_estimate: number | null;
            /**
             * Estimate From
             * @description Where the price comes from
             */
            estimate_from: ("past calls" | "price list") | null;
            /**
             * Model
             * @description Null for rules, which cost nothing
             */
            model: string | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * To Score
             * @description Targets that would be scored
             */
            to_score: number;
            /** Tokens Input Estimate */
            tokens_input_estimate: number;
            /** Tokens Output Estimate */
            tokens_output_estimate: number;
        };
        /**
         * ScorerSpec
         * @description A scorer, by name and configuration.
         */
        ScorerSpec: {
            /**
             * Config
             * @description The scorer's own keys, such as `expected_output`; beside it they are refused
             */
            config?: {
                [key: string]: unknown;
            } | null;
            /**
             * Scorer
             * @description The built-in to run; `scorer_name` unless said
             */
            scorer?: string | null;
            /** Scorer Name */
            scorer_name: string;
        };
        /**
         * ScorerSummary
         * @description One scorer's scores in one experiment. Numbers and labels are aggregated apart.
         */
        ScorerSummary: {
            /** Ci Method */
            ci_method: string | null;
            /**
             * Clusters
             * @description Items, when several scores of one item stood together
             */
            clusters: number | null;
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /**
             * Distribution
             * @description Label → count
             */
            distribution?: {
                [key: string]: number;
            } | null;
            /**
             * Flags
             * @description What a reader should know before trusting the interval
             */
            flags: string[];
            /**
             * Items Fixed Ci 95
             * @description The same as an interval
             */
            items_fixed_ci_95?: [
                number,
                number
            ] | null;
            /**
             * Items Fixed Standard Error
             * @description Of the mean if the same items were tried again; it says nothing about others
             */
            items_fixed_standard_error?: number | null;
            /** @description Its report card in a few numbers, where it is a judge */
            judge?: components["schemas"]["JudgeBrief"] | null;
            /**
             * Label Shares
             * @description Label → its share, with interval
             */
            label_shares?: {
                [key: string]: components["schemas"]["LabelShare"];
            } | null;
            /** Max */
            max: number | null;
            /** Mean */
            mean: number | null;
            /** Min */
            min: number | null;
            /**
             * Missing Bracket
             * @description The mean if all missing scores were 0, and if all were 1
             */
            missing_bracket: [
                number,
                number
            ] | null;
            /**
             * Missing Policy
             * @description What was done about runs without a score
             * @enum {string}
             */
            missing_policy: "drop" | "zero" | "bracket";
            /**
             * Mixed
             * @description Numbers and labels under one name
             */
            mixed: boolean;
            /** N Absent */
            n_absent: number;
            /** N Failed */
            n_failed: number;
            /** N Pending */
            n_pending: number;
            /** N Scored */
            n_scored: number;
            /**
             * N Total
             * @description Runs
             */
            n_total: number;
            /**
             * Pass At K
             * @description By k; with more than one trial
             */
            pass_at_k?: {
                [key: string]: number;
            } | null;
            /**
             * Pass At K Ci 95
             * @description By k, over items
             */
            pass_at_k_ci_95?: {
                [key: string]: [
                    number,
                    number
                ];
            } | null;
            /**
             * Pass Pow K
             * @description By k; with more than one trial
             */
            pass_pow_k?: {
                [key: string]: number;
            } | null;
            /**
             * Pass Pow K Ci 95
             * @description By k, over items
             */
            pass_pow_k_ci_95?: {
                [key: string]: [
                    number,
                    number
                ];
            } | null;
            /**
             * Reasons
             * @description Why runs have no score → how many
             */
            reasons: {
                [key: string]: number;
            };
            /** Score Count */
            score_count: number;
            /**
             * Scored Run Count
             * @description Distinct runs
             */
            scored_run_count: number;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Standard Deviation
             * @description Of the scores (n − 1); null for one score
             */
            standard_deviation: number | null;
            /**
             * Standard Error
             * @description Of the mean, with items as what varies
             */
            standard_error: number | null;
        };
        /** ScoresAccepted */
        ScoresAccepted: {
            /** Accepted */
            accepted: number;
            /** Job Ids */
            job_ids: string[];
            /**
             * Score Ids
             * @description One each, in order; null where the result is absent
             */
            score_ids: (string | null)[];
        };
        /** ScoreSeries */
        ScoreSeries: {
            /**
             * Points
             * @description Oldest first; a bucket without scores is left out
             */
            points: components["schemas"]["ScoreBucket"][];
            /** Scorer Name */
            scorer_name: string;
        };
        /**
         * ScoreTrends
         * @description Mean scores of spans over time. Every score counts as one, also where several are on one trace.
         */
        ScoreTrends: {
            /**
             * After
             * Format: date-time
             * @description Start of the first bucket
             * @example 2026-02-21T22:00:00.000Z
             */
            after: string;
            /**
             * Before
             * Format: date-time
             * @description End of the last bucket
             * @example 2026-02-21T22:00:00.000Z
             */
            before: string;
            /**
             * Bucket
             * @enum {string}
             */
            bucket: "hour" | "day";
            /**
             * Notes
             * @description What is not in the figures, and why
             */
            notes: string[];
            /** Project Id */
            project_id: string;
            /**
             * Series
             * @description By name of the scorer
             */
            series: components["schemas"]["ScoreSeries"][];
        };
        /**
         * ScoreWithJob
         * @description A score with the job that made it.
         */
        ScoreWithJob: {
            /**
             * Author
             * @description Who gave it, where it came with an annotation
             */
            author?: string | null;
            /** Config */
            config: {
                [key: string]: unknown;
            } | null;
            /** Config Hash */
            config_hash: string | null;
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Id */
            id: string;
            /**
             * Job Id
             * @description The judge's job that made it; its votes and cost are there
             */
            job_id: string | null;
            /** Metadata */
            metadata: {
                [key: string]: unknown;
            } | null;
            /** Project Id */
            project_id: string;
            /** Rationale */
            rationale: string | null;
            /**
             * Scorer
             * @description The built-in that computed it
             */
            scorer: string | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Source
             * @enum {string}
             */
            source: "api" | "builtin" | "judge" | "human";
            /**
             * Stale
             * @description A score of a whole trace or conversation to which something came later
             * @default false
             */
            stale: boolean;
            /** Target Id */
            target_id: string;
            /**
             * Target Type
             * @enum {string}
             */
            target_type: "run" | "span" | "iteration" | "conversation";
            /**
             * Trace Id
             * @description For a span's score
             */
            trace_id: string | null;
            /** Value */
            value: number | string;
        };
        /**
         * ScoringPreview
         * @description What a scoring would cost. Nothing was stored, and no model was called.
         */
        ScoringPreview: {
            /**
             * Budget Left Usd
             * @description Of today; null without a limit
             */
            budget_left_usd: number | null;
            /** By Scorer */
            by_scorer: components["schemas"]["ScorerPreview"][];
            /**
             * Cost Usd Estimate
             * @description Null when a part of it is not known
             */
            cost_usd_estimate: number | null;
            /** Notes */
            notes: string[];
            /** Targets */
            targets: number;
        };
        /**
         * ScoringState
         * @description Why a target has, or has not, a score of one scorer.
         */
        ScoringState: {
            /** Config Hash */
            config_hash: string | null;
            /** Job Id */
            job_id: string | null;
            /** Reason */
            reason: string | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "running" | "scored" | "absent" | "failed" | "sampled_out" | "cancelled";
            /** Target Id */
            target_id: string;
            /**
             * Target Type
             * @enum {string}
             */
            target_type: "run" | "span" | "iteration" | "conversation";
            /** Trace Id */
            trace_id: string | null;
            /**
             * Updated At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            updated_at: string;
        };
        /**
         * Session
         * @description Who is calling, and what they may do.
         */
        Session: {
            /**
             * Expires At
             * @description When the session ends; null for a call with a key
             */
            expires_at: string | null;
            /**
             * Key Id
             * @description The key that the session stands for, or that the call came with; or the share's id
             */
            key_id: string;
            /**
             * Key Name
             * @description That key's name
             */
            key_name: string | null;
            /**
             * Project Id
             * @description The only project that the caller sees; null: all projects
             */
            project_id: string | null;
            /**
             * Role
             * @description What the caller may do: `write` includes `read`, `admin` both; `reviewer`: the review queue
             * @enum {string}
             */
            role: "reviewer" | "read" | "write" | "admin";
            /** @description The view that a share shows; null with a key */
            share?: components["schemas"]["SharedSession"] | null;
        };
        /**
         * SessionIteration
         * @description One iteration of a session, with how much evidence its value is based on.
         */
        SessionIteration: {
            /** Band */
            band: string;
            /** Coverage */
            coverage: number;
            /** Iteration */
            iteration: number;
            /** Provisional */
            provisional: boolean;
            /**
             * Value
             * @description Null when not scored
             */
            value: number | null;
        };
        /**
         * SharedSession
         * @description What the caller of a share sees.
         */
        SharedSession: {
            /** Id */
            id: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "compare" | "experiment" | "trace" | "iteration" | "leaderboard";
            /**
             * Path
             * @description The view's address in the page
             */
            path: string;
        };
        /**
         * SignalContribution
         * @description One row of a breakdown. The contributions of present signals add up to the value.
         */
        SignalContribution: {
            /** Contribution */
            contribution: number;
            /**
             * Detail
             * @default
             */
            detail: string;
            /** Effective Weight */
            effective_weight: number;
            /** Label */
            label: string;
            /** Nominal Weight */
            nominal_weight: number;
            /** Present */
            present: boolean;
            /**
             * Self Reported
             * @description The agent's own log says so, and no fact stands behind it
             * @default false
             */
            self_reported: boolean;
            /** Signal */
            signal: string;
            /** Sub Score */
            sub_score: number;
        };
        /** SignalDraft */
        SignalDraft: {
            /**
             * Detail
             * @default
             */
            detail: string | null;
            /** Present */
            present: boolean;
            /**
             * Sub Score
             * @default 0
             */
            sub_score: number | null;
        };
        /**
         * SignalLoss
         * @description The signal that kept an iteration's value down most.
         */
        SignalLoss: {
            /** Detail */
            detail: string;
            /** Label */
            label: string;
            /**
             * Lost
             * @description Effective weight minus contribution: what more the value could have been
             */
            lost: number;
            /** Signal */
            signal: string;
        };
        /**
         * SignalValue
         * @description One signal of one iteration: a sub-score, or the reason why there is none.
         */
        SignalValue: {
            /**
             * Detail
             * @description What produced the value, or why there is none
             * @default
             */
            detail: string;
            /** Present */
            present: boolean;
            /**
             * Sub Score
             * @description Meaningful only when present
             * @default 0
             */
            sub_score: number;
        };
        /** SkippedLine */
        SkippedLine: {
            /**
             * Line
             * @description Counted from 1
             */
            line: number;
            /** Reason */
            reason: string;
        };
        /**
         * Span
         * @description A span. What follows `error` is what OpenTelemetry says of it, null for a span that was ingested natively.
         */
        Span: {
            /**
             * Attributes
             * @description All of them, with their types
             */
            attributes?: {
                [key: string]: unknown;
            } | null;
            /**
             * Conversation Id
             * @description `gen_ai.conversation.id`, else `session.id`
             */
            conversation_id?: string | null;
            /**
             * Cost Usd
             * @description Null when it has no tokens, or its model no known price
             */
            cost_usd?: number | null;
            /**
             * Dropped
             * @description What its exporter left out: kind → how many
             */
            dropped?: {
                [key: string]: number;
            } | null;
            /** Duration Ms */
            duration_ms: number | null;
            /** End Time */
            end_time: string | null;
            /** End Time Unix Nano */
            end_time_unix_nano?: string | null;
            error: components["schemas"]["SpanError"] | null;
            /** Events */
            events?: components["schemas"]["SpanEvent"][] | null;
            /** Flags */
            flags?: number | null;
            /** Id */
            id: string;
            /** Input */
            input: unknown;
            /** Kind */
            kind?: string | null;
            /** Links */
            links?: components["schemas"]["SpanLink"][] | null;
            /** Metadata */
            metadata: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** Model */
            model: string | null;
            /** Name */
            name: string;
            /**
             * Operation
             * @description What it did: model_call, embedding, tool, agent, retrieval, chain
             */
            operation?: string | null;
            /** Output */
            output: unknown;
            /** Parent Span Id */
            parent_span_id: string | null;
            /** Resource */
            resource?: {
                [key: string]: unknown;
            } | null;
            scope?: components["schemas"]["SpanScope"] | null;
            /** Session Id */
            session_id?: string | null;
            /**
             * Start Time
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            start_time: string;
            /** Start Time Unix Nano */
            start_time_unix_nano?: string | null;
            status?: components["schemas"]["SpanStatus"] | null;
            /** Tokens Input */
            tokens_input: number | null;
            /** Tokens Output */
            tokens_output: number | null;
            /** Trace Id */
            trace_id: string;
            /** Trace State */
            trace_state?: string | null;
            /** User Id */
            user_id?: string | null;
        };
        /**
         * SpanColumns
         * @description The spans of a trace by start time, one array per field: position `i` of each array is the same span.
         *
         *     Names, models and operations repeat, so that their arrays hold positions in `names`, `models` and `operations`.
         */
        SpanColumns: {
            /** Cost Usd */
            cost_usd: (number | null)[];
            /**
             * Duration Ms
             * @description To 3 decimals; null when it is not known
             */
            duration_ms: (number | null)[];
            /** Has Error */
            has_error: boolean[];
            /** Id */
            id: string[];
            /**
             * Input Size
             * @description Bytes of the input's JSON text; 0 when there is none
             */
            input_size: number[];
            /**
             * Model
             * @description Positions in `models`
             */
            model: (number | null)[];
            /**
             * Models
             * @description The distinct models
             */
            models: string[];
            /**
             * Name
             * @description Positions in `names`
             */
            name: number[];
            /**
             * Names
             * @description The distinct names
             */
            names: string[];
            /**
             * Operation
             * @description Positions in `operations`
             */
            operation: (number | null)[];
            /**
             * Operations
             * @description The distinct operations: model_call, embedding, tool, agent, retrieval, chain
             */
            operations: string[];
            /**
             * Orphans
             * @description Position of a span → id of its parent, for the spans whose parent is not stored
             */
            orphans: {
                [key: string]: string;
            };
            /**
             * Output Size
             * @description Bytes of the output's JSON text; 0 when there is none
             */
            output_size: number[];
            /**
             * Parent
             * @description Position of the parent span; null for a span without one, and where it is not stored
             */
            parent: (number | null)[];
            /** Score Count */
            score_count: number[];
            /**
             * Start Ms
             * @description Milliseconds since `start_time_unix_nano`, to 3 decimals
             */
            start_ms: number[];
            /** Tokens Input */
            tokens_input: (number | null)[];
            /** Tokens Output */
            tokens_output: (number | null)[];
        };
        /**
         * SpanDetail
         * @description One span with its scores, annotations and details.
         *
         *     With `max_bytes`, an input or output that is longer is cut and named in `truncated`: a string is then the beginning
         *     of itself, and anything else the beginning of its JSON text. So are `attributes` and `events` in which a string was
         *     cut.
         */
        SpanDetail: {
            /**
             * Attributes
             * @description All of them, with their types
             */
            attributes?: {
                [key: string]: unknown;
            } | null;
            /**
             * Conversation Id
             * @description `gen_ai.conversation.id`, else `session.id`
             */
            conversation_id?: string | null;
            /**
             * Cost Usd
             * @description Null when it has no tokens, or its model no known price
             */
            cost_usd?: number | null;
            /**
             * Dropped
             * @description What its exporter left out: kind → how many
             */
            dropped?: {
                [key: string]: number;
            } | null;
            /** Duration Ms */
            duration_ms: number | null;
            /** End Time */
            end_time: string | null;
            /** End Time Unix Nano */
            end_time_unix_nano?: string | null;
            error: components["schemas"]["SpanError"] | null;
            /** Events */
            events?: components["schemas"]["SpanEvent"][] | null;
            /** Flags */
            flags?: number | null;
            /** Id */
            id: string;
            /** Input */
            input: unknown;
            /**
             * Input Size
             * @description Bytes of the whole input's JSON text; 0 when there is none
             */
            input_size: number;
            /** Kind */
            kind?: string | null;
            /** Links */
            links?: components["schemas"]["SpanLink"][] | null;
            /** Metadata */
            metadata: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** Model */
            model: string | null;
            /** Name */
            name: string;
            /**
             * Operation
             * @description What it did: model_call, embedding, tool, agent, retrieval, chain
             */
            operation?: string | null;
            /** Output */
            output: unknown;
            /**
             * Output Size
             * @description Bytes of the whole output's JSON text; 0 when there is none
             */
            output_size: number;
            /** Parent Span Id */
            parent_span_id: string | null;
            /** Resource */
            resource?: {
                [key: string]: unknown;
            } | null;
            scope?: components["schemas"]["SpanScope"] | null;
            /** Session Id */
            session_id?: string | null;
            /**
             * Start Time
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            start_time: string;
            /** Start Time Unix Nano */
            start_time_unix_nano?: string | null;
            status?: components["schemas"]["SpanStatus"] | null;
            /** Tokens Input */
            tokens_input: number | null;
            /** Tokens Output */
            tokens_output: number | null;
            /** Trace Id */
            trace_id: string;
            /** Trace State */
            trace_state?: string | null;
            /**
             * Truncated
             * @description Which fields are not whole
             */
            truncated: ("input" | "output" | "attributes" | "events")[];
            /** User Id */
            user_id?: string | null;
        };
        /** SpanDraft */
        SpanDraft: {
            /** Duration Ms */
            duration_ms?: number | null;
            /** End Time */
            end_time?: string | null;
            error?: components["schemas"]["SpanError"] | null;
            /** Id */
            id: string;
            /** Input */
            input?: unknown;
            /** Metadata */
            metadata?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** Model */
            model?: string | null;
            /** Name */
            name: string;
            /** Output */
            output?: unknown;
            /** Parent Span Id */
            parent_span_id?: string | null;
            /** Scores */
            scores?: components["schemas"]["InlineScoreDraft"][] | null;
            /**
             * Start Time
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            start_time: string;
            /** Tokens Input */
            tokens_input?: number | null;
            /** Tokens Output */
            tokens_output?: number | null;
            /** Trace Id */
            trace_id: string;
        };
        /** SpanError */
        SpanError: {
            /** Message */
            message: string;
            /** Stack */
            stack?: string | null;
            /** Type */
            type?: string | null;
        };
        /**
         * SpanEvent
         * @description Something that happened at one moment of a span.
         */
        SpanEvent: {
            /** Attributes */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Dropped Attributes Count
             * @default 0
             */
            dropped_attributes_count: number;
            /** Name */
            name: string;
            /** Time Unix Nano */
            time_unix_nano: string | null;
        };
        /**
         * SpanFilter
         * @description Which spans are meant. What is left out is not asked; an unknown key is refused, or it would match everything.
         */
        SpanFilter: {
            /** Has Error */
            has_error?: boolean | null;
            /**
             * Metadata
             * @description Every key with exactly this value
             */
            metadata?: {
                [key: string]: string | number | boolean | null;
            } | null;
            /** Model */
            model?: string | null;
            /** Name */
            name?: string | null;
            /**
             * Root Only
             * @default false
             */
            root_only: boolean | null;
        };
        /** SpanLink */
        SpanLink: {
            /** Attributes */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Dropped Attributes Count
             * @default 0
             */
            dropped_attributes_count: number;
            /**
             * Flags
             * @default 0
             */
            flags: number;
            /** Span Id */
            span_id: string;
            /** Trace Id */
            trace_id: string;
            /** Trace State */
            trace_state: string | null;
        };
        /**
         * SpanScope
         * @description The instrumentation that made a span.
         */
        SpanScope: {
            /** Attributes */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Dropped Attributes Count
             * @default 0
             */
            dropped_attributes_count: number;
            /** Name */
            name: string | null;
            /** Version */
            version: string | null;
        };
        /** SpanStatus */
        SpanStatus: {
            /**
             * Code
             * @enum {string}
             */
            code: "unset" | "ok" | "error";
            /** Message */
            message: string | null;
        };
        /** StatusCounts */
        StatusCounts: {
            /** Completed Count */
            completed_count: number;
            /** Created Count */
            created_count: number;
            /** Running Count */
            running_count: number;
        };
        /**
         * Stopping
         * @description The question that could end the evaluation, and how it stood at the last look.
         */
        Stopping: {
            /** Against */
            against: string | null;
            /** Ci Method */
            ci_method: string | null;
            /**
             * Confidence Interval 95
             * @description As the caller stated it; summaries compute their own
             */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /** Items */
            items: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "gate" | "difference";
            /** Max Items */
            max_items: number;
            /** Mean */
            mean: number | null;
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "passed" | "failed" | "better" | "worse" | "not_worse" | "undecided" | "cannot_be_decided";
            /** Scorer Name */
            scorer_name: string;
            /** Text */
            text: string;
        };
        /**
         * StoppingDraft
         * @description The question that could end an evaluation, and how it stood at the last look.
         */
        StoppingDraft: {
            /**
             * Against
             * @description The experiment that a difference is from
             */
            against?: string | null;
            /** Ci Method */
            ci_method?: string | null;
            /**
             * Confidence Interval 95
             * @description Of the last look, cut with those before
             */
            confidence_interval_95?: [
                number,
                number
            ] | null;
            /**
             * Items
             * @description Items that had been run at the last look
             */
            items: number;
            /**
             * Kind
             * @description A mean against a bar, or against that of another experiment
             * @enum {string}
             */
            kind: "gate" | "difference";
            /**
             * Max Items
             * @description Items that could have been run
             */
            max_items: number;
            /**
             * Mean
             * @description Of the items' means, or of their differences
             */
            mean?: number | null;
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "passed" | "failed" | "better" | "worse" | "not_worse" | "undecided" | "cannot_be_decided";
            /** Scorer Name */
            scorer_name: string;
            /**
             * Text
             * @description The gate as it was written
             */
            text: string;
        };
        /** Summary */
        Summary: {
            /**
             * Cluster By
             * @description Key of the items' metadata that says what belongs together
             */
            cluster_by?: string | null;
            /** Completed At */
            completed_at: string | null;
            /** @description Null when no run's trace has a model call */
            cost?: components["schemas"]["ExperimentCost"] | null;
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /** Dataset Id */
            dataset_id: string;
            /**
             * Dataset Item Count
             * @description Items that the dataset has now
             */
            dataset_item_count: number;
            /** Dataset Version */
            dataset_version: number;
            /**
             * Expected Item Count
             * @description Items of the dataset's version that the experiment is pinned to
             */
            expected_item_count: number;
            /**
             * Expected Run Count
             * @description Those items × trials
             */
            expected_run_count: number;
            /** Experiment Id */
            experiment_id: string;
            /**
             * Failed Run Count
             * @description Runs that ended in an error
             */
            failed_run_count: number;
            /** Metadata */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * Metrics
             * @description Numbers about the whole experiment that are no mean of scores
             */
            metrics?: {
                [key: string]: components["schemas"]["ExperimentMetric"];
            };
            /**
             * Missing Policy
             * @enum {string}
             */
            missing_policy: "drop" | "zero" | "bracket";
            /** Name */
            name: string;
            /**
             * Pass Threshold
             * @description From which score on a run passed, for pass@k and pass^k
             */
            pass_threshold: number;
            /** Run Count */
            run_count: number;
            /** Scores By Scorer */
            scores_by_scorer: {
                [key: string]: components["schemas"]["ScorerSummary"];
            };
            /**
             * Status
             * @enum {string}
             */
            status: "created" | "running" | "completed";
            /** @description The question that could end it early; intervals then hold at every look */
            stopping?: components["schemas"]["Stopping"] | null;
            /** @description The last one evaluated */
            threshold_result: components["schemas"]["ThresholdResult"] | null;
            /** Trials */
            trials: number;
        };
        /**
         * TextSearch
         * @description Whether the root spans of a project are searched by their words.
         */
        TextSearch: {
            /** Enabled */
            enabled: boolean;
            /**
             * Job Id
             * @description The job that indexes them, or that empties the index
             */
            job_id?: string | null;
            /** Project Id */
            project_id: string;
            /**
             * Ready
             * @description False while traces that were there before are being indexed
             */
            ready: boolean;
        };
        /**
         * ThresholdRecord
         * @description A gate that was evaluated, when, and what came of it.
         */
        ThresholdRecord: {
            /**
             * Evaluated At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            evaluated_at: string;
            /** Experiment Id */
            experiment_id: string;
            /** Id */
            id: string;
            result: components["schemas"]["ThresholdResult"];
        };
        /** ThresholdResult */
        ThresholdResult: {
            /** Actual Value */
            actual_value: number | null;
            /**
             * Bound
             * @default point
             * @enum {string}
             */
            bound: "point" | "ci";
            /** Ci Method */
            ci_method?: string | null;
            /**
             * Comparison
             * @enum {string}
             */
            comparison: "gte" | "gt" | "lte" | "lt";
            /**
             * Confidence Interval 95
             * @description Of the metric; of the mean where it has none
             */
            confidence_interval_95: [
                number,
                number
            ] | null;
            /**
             * Decision
             * @description By the value (`point`) or by its interval (`ci`)
             * @enum {string}
             */
            decision: "pass" | "fail" | "undecided";
            /**
             * Flags
             * @description What a reader should know before trusting the interval
             */
            flags?: string[];
            /**
             * Gap
             * @description actual value − threshold
             */
            gap: number | null;
            /** K */
            k: number | null;
            /**
             * Metric
             * @enum {string}
             */
            metric: "mean" | "min" | "max" | "ci_low" | "pass_at_k" | "pass_pow_k";
            /**
             * Min N
             * @default 1
             */
            min_n: number;
            /**
             * Missing Policy
             * @default drop
             * @enum {string}
             */
            missing_policy: "drop" | "zero" | "bracket";
            /**
             * More Items
             * @description About how many more items would probably decide it; when undecided
             */
            more_items?: number | null;
            /**
             * More Items Reason
             * @description Why an undecided one has no such number, or what it would take instead
             */
            more_items_reason?: string | null;
            /**
             * N
             * @description Items behind the value
             */
            n?: number | null;
            /** Passed */
            passed: boolean;
            /**
             * Reason
             * @description Why it is undecided
             */
            reason?: string | null;
            /** Scorer Name */
            scorer_name: string;
            /**
             * Sequential
             * @default false
             */
            sequential: boolean;
            /** Threshold */
            threshold: number;
        };
        /** TimeSummary */
        TimeSummary: {
            /**
             * Censored
             * @description Runs in which it did not
             */
            censored: number;
            /**
             * Ci Method
             * @description How that interval was made
             */
            ci_method: string;
            /**
             * Confidence Interval 95
             * @description Of the restricted mean
             */
            confidence_interval_95: [
                number,
                number
            ];
            /**
             * Flags
             * @description What a reader should know before trusting it
             */
            flags?: string[];
            /**
             * Happened
             * @description Runs in which it happened
             */
            happened: number;
            /**
             * Kind
             * @description Of the metric
             * @default time
             * @constant
             */
            kind: "time";
            /**
             * Limit
             * @description The last step that counted; the earliest where runs differ
             */
            limit: number;
            /**
             * Median
             * @description Kaplan and Meier; null when it happened in fewer than half of the runs
             */
            median: number | null;
            /**
             * Median Interval 95
             * @description Upper end null: beyond the limit
             */
            median_interval_95: [
                number,
                number | null
            ];
            /**
             * Restricted Mean
             * @description Mean with limit + 1 for a run in which it never happened
             */
            restricted_mean: number;
        };
        /**
         * ToLabel
         * @description Which targets to label next, and how many until the interval is as narrow as wanted.
         */
        ToLabel: {
            /** Config Hash */
            config_hash: string | null;
            /** @description The judge's mean corrected by people; for labels, how often both agree */
            estimate: components["schemas"]["Figure"];
            /** Human */
            human: string | null;
            /**
             * Mode
             * @enum {string}
             */
            mode: "random" | "informative";
            /**
             * More Needed
             * @description Null when all labels together would not do
             */
            more_needed: number | null;
            /** N Labelled */
            n_labelled: number;
            /** N Unlabelled */
            n_unlabelled: number;
            /** Notes */
            notes: string[];
            /**
             * Reach
             * @description How far its interval reaches to each side now
             */
            reach: number | null;
            /** Scorer Name */
            scorer_name: string;
            /** Strata */
            strata: components["schemas"]["LabelStratum"][];
            /**
             * Target Width
             * @description How far it may reach to each side
             */
            target_width: number;
            /**
             * Targets
             * @description The next to label, in this order
             */
            targets: components["schemas"]["ToLabelTarget"][];
            /** Words */
            words: string;
        };
        /** ToLabelTarget */
        ToLabelTarget: {
            /**
             * Excerpt
             * @description How the output of a run or span begins
             */
            excerpt?: string | null;
            /**
             * Experiment Id
             * @description Of a run
             */
            experiment_id?: string | null;
            /**
             * Judge
             * @description What the judge said of it
             */
            judge: number | string;
            /**
             * Reason
             * @description Why it was chosen
             * @default
             */
            reason: string;
            /** Stratum */
            stratum: string;
            /** Target Id */
            target_id: string;
            /**
             * Target Type
             * @enum {string}
             */
            target_type: "run" | "span" | "iteration" | "conversation";
            /** Trace Id */
            trace_id: string | null;
        };
        /**
         * TopLabel
         * @description The most frequent label; of equally frequent ones the first in the alphabet.
         */
        TopLabel: {
            /** Confidence Interval 95 */
            confidence_interval_95: [
                number,
                number
            ];
            /** Count */
            count: number;
            /** Label */
            label: string;
            /** Share */
            share: number;
        };
        /** Trace */
        Trace: {
            /**
             * Annotation Count
             * @default 0
             */
            annotation_count: number;
            /** Conversation Id */
            conversation_id?: string | null;
            /**
             * Cost Usd
             * @description Of all model calls; null when there is none, or one without a known price
             */
            cost_usd?: number | null;
            /**
             * Created At
             * Format: date-time
             * @description When the first span was received
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /**
             * Duration Ms
             * @description The root span's
             */
            duration_ms: number | null;
            /** Has Error */
            has_error: boolean;
            /** Id */
            id: string;
            /** In Queue */
            in_queue: boolean;
            /**
             * Input Preview
             * @description The first 200 characters of the root span's input; only in lists of traces
             */
            input_preview?: string | null;
            /**
             * Known Cost Usd
             * @description Of the model calls whose price is known
             */
            known_cost_usd?: number | null;
            /**
             * Metadata
             * @description The root span's
             */
            metadata: {
                [key: string]: string | number | boolean | null;
            } | null;
            /**
             * Model
             * @description The root span's, or the first that any span named
             */
            model: string | null;
            /**
             * Name
             * @description The root span's
             */
            name: string | null;
            /**
             * Output Preview
             * @description The first 200 characters of the root span's output; only in lists of traces
             */
            output_preview?: string | null;
            /** Project Id */
            project_id: string;
            /** Root Span Id */
            root_span_id: string | null;
            /**
             * Scores
             * @description Of all spans, by scorer, at most 20 of them; only in lists of traces
             */
            scores?: components["schemas"]["TraceScorer"][] | null;
            /** Span Count */
            span_count: number;
            /**
             * Spans
             * @description By start time
             */
            spans: components["schemas"]["Span"][];
            /**
             * Started At
             * @description When its first span began
             */
            started_at?: string | null;
            /**
             * Tokens
             * @description Input and output tokens of all spans
             */
            tokens: number;
            /**
             * Unpriced Span Count
             * @description Model calls without a known price
             * @default 0
             */
            unpriced_span_count: number;
            /**
             * Updated At
             * @description When its newest span was received
             */
            updated_at?: string | null;
        };
        /**
         * TraceBucket
         * @description The traces that were first received in one hour or day.
         */
        TraceBucket: {
            /**
             * Avg Duration Ci 95 Ms
             * @description Null for fewer than two root spans, or equal durations
             */
            avg_duration_ci_95_ms: [
                number,
                number
            ] | null;
            /**
             * Avg Duration Ms
             * @description Of root spans
             */
            avg_duration_ms: number | null;
            /**
             * Cost Usd
             * @description Of the model calls whose price is known; null when there is none
             */
            cost_usd: number | null;
            /** Count */
            count: number;
            /** Error Count */
            error_count: number;
            /**
             * Error Rate
             * @description Null when there are no traces
             */
            error_rate: number | null;
            /** Error Rate Ci 95 */
            error_rate_ci_95: [
                number,
                number
            ] | null;
            /**
             * Start
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            start: string;
            /** Tokens */
            tokens: number;
            /**
             * Unpriced Span Count
             * @description Model calls without a known price
             */
            unpriced_span_count: number;
        };
        /**
         * TraceFacets
         * @description What the traces of a filter have in common. Counted over the newest 10,000 of them.
         */
        TraceFacets: {
            /**
             * Error Count
             * @description Traces with an error
             */
            error_count: number;
            /**
             * Metadata
             * @description The 20 most frequent keys
             */
            metadata: components["schemas"]["FacetKey"][];
            /**
             * Models
             * @description By the model that a list shows for a trace, the 20 most frequent
             */
            models: components["schemas"]["FacetValue"][];
            /**
             * Queued Count
             * @description Traces in the review queue
             */
            queued_count: number;
            /**
             * Total
             * @description Traces, at most 10,000
             */
            total: number;
            /**
             * Total Capped
             * @description True when there may be more than `total`
             */
            total_capped: boolean;
        };
        /**
         * TraceFigures
         * @description The traces that came in a window of time.
         */
        TraceFigures: {
            cost: components["schemas"]["WindowCost"];
            /** Count */
            count: number;
            /**
             * Error Count
             * @description Traces with an error in some span
             */
            error_count: number;
            /**
             * Error Rate
             * @description Null without traces
             */
            error_rate: number | null;
            /**
             * Error Rate Ci 95
             * @description Wilson's interval
             */
            error_rate_ci_95: [
                number,
                number
            ] | null;
            /**
             * Mean Duration Ci 95 Ms
             * @description Null for fewer than two root spans, or equal durations
             */
            mean_duration_ci_95_ms: [
                number,
                number
            ] | null;
            /**
             * Mean Duration Ms
             * @description Of root spans; null when none has a duration
             */
            mean_duration_ms: number | null;
            /**
             * Timed Count
             * @description Traces whose root span has a duration
             */
            timed_count: number;
            /** Tokens */
            tokens: number;
        };
        /**
         * TraceRow
         * @description A trace in a list: what its spans add up to, without them.
         */
        TraceRow: {
            /**
             * Annotation Count
             * @default 0
             */
            annotation_count: number;
            /** Conversation Id */
            conversation_id?: string | null;
            /**
             * Cost Usd
             * @description Of all model calls; null when there is none, or one without a known price
             */
            cost_usd?: number | null;
            /**
             * Created At
             * Format: date-time
             * @description When the first span was received
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /**
             * Duration Ms
             * @description The root span's
             */
            duration_ms: number | null;
            /** Has Error */
            has_error: boolean;
            /** Id */
            id: string;
            /** In Queue */
            in_queue: boolean;
            /**
             * Input Preview
             * @description The first 200 characters of the root span's input; only in lists of traces
             */
            input_preview?: string | null;
            /**
             * Known Cost Usd
             * @description Of the model calls whose price is known
             */
            known_cost_usd?: number | null;
            /**
             * Metadata
             * @description The root span's
             */
            metadata: {
                [key: string]: string | number | boolean | null;
            } | null;
            /**
             * Model
             * @description The root span's, or the first that any span named
             */
            model: string | null;
            /**
             * Name
             * @description The root span's
             */
            name: string | null;
            /**
             * Output Preview
             * @description The first 200 characters of the root span's output; only in lists of traces
             */
            output_preview?: string | null;
            /** Project Id */
            project_id: string;
            /** Root Span Id */
            root_span_id: string | null;
            /**
             * Scores
             * @description Of all spans, by scorer, at most 20 of them; only in lists of traces
             */
            scores?: components["schemas"]["TraceScorer"][] | null;
            /** Span Count */
            span_count: number;
            /**
             * Started At
             * @description When its first span began
             */
            started_at?: string | null;
            /**
             * Tokens
             * @description Input and output tokens of all spans
             */
            tokens: number;
            /**
             * Unpriced Span Count
             * @description Model calls without a known price
             * @default 0
             */
            unpriced_span_count: number;
            /**
             * Updated At
             * @description When its newest span was received
             */
            updated_at?: string | null;
        };
        /**
         * TraceScorer
         * @description What the scores of one scorer on the spans of a trace come to.
         */
        TraceScorer: {
            /** Count */
            count: number;
            /**
             * Labels
             * @description Label → how many, the 5 most frequent; empty when there are none
             */
            labels: {
                [key: string]: number;
            };
            /**
             * Mean
             * @description Of the numbers; null when there are only labels
             */
            mean: number | null;
            /** Scorer Name */
            scorer_name: string;
        };
        /**
         * TraceScores
         * @description The scores of all spans of a trace, and the scoring states of spans without a score.
         */
        TraceScores: {
            /**
             * Capped
             * @description True when there are more scores or states than are listed
             */
            capped: boolean;
            /**
             * Scores
             * @description Newest first, at most 2,000
             */
            scores: components["schemas"]["Score"][];
            /**
             * States
             * @description Without a score: absent, failed, queued, …; at most 2,000
             */
            states: components["schemas"]["ScoringState"][];
            /** Trace Id */
            trace_id: string;
        };
        /**
         * TraceSkeleton
         * @description A trace with its spans, without what may be large: inputs, outputs, metadata, attributes.
         */
        TraceSkeleton: {
            spans: components["schemas"]["SpanColumns"];
            /**
             * Start Time Unix Nano
             * @description When its first span began; null when it has no spans
             */
            start_time_unix_nano: string | null;
            trace: components["schemas"]["TraceRow"];
        };
        /**
         * TraceTrends
         * @description Traces over time, in UTC. A bucket without traces is listed too, with a count of 0.
         */
        TraceTrends: {
            /**
             * After
             * Format: date-time
             * @description Where the first bucket begins
             * @example 2026-02-21T22:00:00.000Z
             */
            after: string;
            /**
             * Before
             * Format: date-time
             * @description Where the last bucket ends
             * @example 2026-02-21T22:00:00.000Z
             */
            before: string;
            /**
             * Bucket
             * @enum {string}
             */
            bucket: "hour" | "day";
            /** Buckets */
            buckets: components["schemas"]["TraceBucket"][];
            /** Project Id */
            project_id: string;
        };
        /** TraceWindow */
        TraceWindow: {
            /**
             * Avg Duration Ci 95 Ms
             * @description Null for fewer than two root spans, or equal durations
             */
            avg_duration_ci_95_ms: [
                number,
                number
            ] | null;
            /**
             * Avg Duration Ms
             * @description Of root spans
             */
            avg_duration_ms: number | null;
            /** Count */
            count: number;
            /** Error Count */
            error_count: number;
            /**
             * Error Rate
             * @description To 3 decimals; 0 when there are no traces
             */
            error_rate: number;
            /** Error Rate Ci 95 */
            error_rate_ci_95: [
                number,
                number
            ] | null;
        };
        /** TraceWindows */
        TraceWindows: {
            last_7d: components["schemas"]["TraceWindow"];
            last_24h: components["schemas"]["TraceWindow"];
        };
        /**
         * TranscriptCall
         * @description A tool that was called, and what came back.
         */
        TranscriptCall: {
            /**
             * Arguments
             * @description As JSON; text where it was cut
             */
            arguments: unknown;
            /**
             * Claims
             * @description Places in `claims` that are seen here
             */
            claims: number[];
            /**
             * Ok
             * @description False when it came back as an error; null where that is not known
             */
            ok: boolean | null;
            /**
             * Result
             * @description As JSON; text where it was cut
             */
            result: unknown;
            /** Tool */
            tool: string;
        };
        /**
         * TranscriptClaim
         * @description One claim of a score about a run, and its place in the transcript.
         */
        TranscriptClaim: {
            /**
             * Call
             * @description Place in the turn's `calls`; null: the turn as a whole
             */
            call: number | null;
            /**
             * Claim
             * @description What it shows: the name of a metric, or the family's own word
             */
            claim: string;
            /**
             * Excerpt
             * @description The words or the call, shortened
             */
            excerpt: string;
            /**
             * Label
             * @description The same for people
             */
            label: string;
            /**
             * Step
             * @description Place in `steps`; null where the transcript has no such step
             */
            step: number | null;
            /**
             * Turn
             * @description Place in the step's `turns`; null: the step as a whole
             */
            turn: number | null;
        };
        /**
         * TranscriptMetric
         * @description One metric of the run's score.
         */
        TranscriptMetric: {
            /**
             * Claims
             * @description Places in `claims` that it stands on
             */
            claims: number[];
            /** Label */
            label: string;
            /** Name */
            name: string;
            /**
             * Reason
             * @description Why it does not apply to this run
             */
            reason: string | null;
            /** Value */
            value: boolean | number | string | string[] | null;
        };
        /**
         * TranscriptStep
         * @description What one message to the agent set off.
         */
        TranscriptStep: {
            /**
             * Claims
             * @description Places in `claims` that are seen in the step as a whole
             */
            claims: number[];
            /** Error */
            error: string | null;
            /**
             * Message
             * @description What the agent was given
             */
            message: string | null;
            /**
             * Span Id
             * @description Of the trace, where its texts are whole
             */
            span_id: string | null;
            /** Step Id */
            step_id: number;
            /**
             * Timestamp
             * @description Simulated time; empty where there is none
             */
            timestamp: string;
            /** Turns */
            turns: components["schemas"]["TranscriptTurn"][];
        };
        /** TranscriptTurn */
        TranscriptTurn: {
            /**
             * Calls
             * @description What it called, in order
             */
            calls: components["schemas"]["TranscriptCall"][];
            /**
             * Claims
             * @description Places in `claims` that are seen here
             */
            claims: number[];
            /**
             * Text
             * @description What the agent wrote
             */
            text: string | null;
        };
        /**
         * TurnError
         * @description A span of a turn that failed.
         */
        TurnError: {
            /** Message */
            message: string | null;
            /** Name */
            name: string;
            /** Span Id */
            span_id: string;
            /** Type */
            type: string | null;
        };
        /**
         * Variance
         * @description The variance of one agent's scores, or of two agents' scores over the same items.
         */
        Variance: {
            against: components["schemas"]["VarianceOfScores"] | null;
            base: components["schemas"]["VarianceOfScores"];
            /**
             * Differences
             * @description Of item-level differences between the two, without what runs and votes add
             */
            differences: number | null;
            /**
             * Notes
             * @description What could not be measured, and what was taken instead
             */
            notes: string[];
            /** Paired Items */
            paired_items: number | null;
        };
        /**
         * VarianceOfScores
         * @description One agent's scores by one scorer, taken apart.
         */
        VarianceOfScores: {
            /** Between Items */
            between_items: number;
            /** Items */
            items: number;
            /**
             * Judge
             * @description Null when no run has several scores: then it is part of the others
             */
            judge: number | null;
            /**
             * Trials
             * @description Runs an item has, on average
             */
            trials: number;
            /**
             * Votes
             * @description Scores a run has, on average
             */
            votes: number;
            /**
             * Within Items
             * @description Null when no item has several runs: then it is part of `between_items`
             */
            within_items: number | null;
        };
        /**
         * ViewShare
         * @description A read-only link to one view. Its secret is shown once, when it is made.
         */
        ViewShare: {
            /**
             * Created At
             * Format: date-time
             * @example 2026-02-21T22:00:00.000Z
             */
            created_at: string;
            /**
             * Expires At
             * Format: date-time
             * @description When the link ends by itself
             * @example 2026-02-21T22:00:00.000Z
             */
            expires_at: string;
            /** Id */
            id: string;
            /**
             * Kind
             * @description What kind of view it shows
             * @enum {string}
             */
            kind: "compare" | "experiment" | "trace" | "iteration" | "leaderboard";
            /**
             * Path
             * @description The view's address in the page
             */
            path: string;
            /** Project Id */
            project_id: string;
        };
        /**
         * WindowCost
         * @description What the model calls in some traces cost.
         */
        WindowCost: {
            /**
             * Known Usd
             * @description Of the model calls whose price is known
             */
            known_usd: number;
            /**
             * Reason
             * @description Why `usd` is null
             */
            reason: string | null;
            /**
             * Unpriced Span Count
             * @description Model calls without a known price
             */
            unpriced_span_count: number;
            /**
             * Usd
             * @description Null when a model call has no known price, or when there is none
             */
            usd: number | null;
        };
        /**
         * Words
         * @description Codes that answers hold → a sentence for people.
         */
        Words: {
            /**
             * Absence Reasons
             * @description The first whose prefix fits holds
             */
            absence_reasons: components["schemas"]["AbsenceReason"][];
            /** Ci Methods */
            ci_methods: {
                [key: string]: string;
            };
            /**
             * Counted Reasons
             * @description Code with which a reason begins → what it is called, once and several times: `unreadable answers`
             */
            counted_reasons: {
                [key: string]: [
                    string,
                    string
                ];
            };
            /** Decisions */
            decisions: {
                [key: string]: string;
            };
            /** Flags */
            flags: {
                [key: string]: string;
            };
            /** Missing Policies */
            missing_policies: {
                [key: string]: string;
            };
            /**
             * States
             * @description Why a target has no score, by the state of its scoring
             */
            states: {
                [key: string]: string;
            };
            /** Verdicts */
            verdicts: {
                [key: string]: string;
            };
        };
        /**
         * WorstScore
         * @description The lowest number that a scorer gave in a conversation: to a span of one of its turns, or to the whole.
         */
        WorstScore: {
            /** Scorer Name */
            scorer_name: string;
            /** Span Id */
            span_id: string | null;
            /** Trace Id */
            trace_id: string | null;
            /**
             * Turn
             * @description Which turn, from 1; null for a score of the whole conversation
             */
            turn: number | null;
            /** Value */
            value: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_annotations_v1_annotations_get: {
        parameters: {
            query?: {
                /** @description Only those made after this time */
                after?: string | null;
                annotator?: string | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Those of its runs */
                experiment_id?: string | null;
                label?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
                run_id?: string | null;
                span_id?: string | null;
                trace_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Annotation_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    annotate_v1_annotations_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "annotator": "ana",
                 *       "label": "correct",
                 *       "trace_id": "TRACE_ID"
                 *     }
                 */
                "application/json": {
                    /**
                     * Annotator
                     * @description Who says it. A key of the role reviewer annotates in its own name, and may leave it out
                     */
                    annotator?: string | null;
                    /** Correction */
                    correction?: unknown;
                    /** Label */
                    label?: string | null;
                    /** Notes */
                    notes?: string | null;
                    /** Project Id */
                    project_id?: string | null;
                    /** Run Id */
                    run_id?: string | null;
                    /**
                     * Score
                     * @description Whether a label that the project's label set gives a number is stored as a score too
                     * @default true
                     */
                    score?: boolean | null;
                    /**
                     * Scores
                     * @description Human scores that are stored with it, with the annotator as their author
                     * @default []
                     */
                    scores?: components["schemas"]["AnnotationScoreDraft"][] | null;
                    /**
                     * Span Id
                     * @description A span of that trace; its scores sit on that span
                     */
                    span_id?: string | null;
                    /**
                     * Trace Id
                     * @description Either this or `run_id`
                     */
                    trace_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Annotation"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_annotation_v1_annotations__id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Annotation"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    correct_annotation_v1_annotations__id__put: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "label": "incomplete",
                 *       "notes": "The delivery time is missing."
                 *     }
                 */
                "application/json": {
                    /** Correction */
                    correction?: unknown;
                    /** Label */
                    label?: string | null;
                    /** Notes */
                    notes?: string | null;
                    /**
                     * Score
                     * @description Whether a label that the project's label set gives a number is stored as a score too
                     * @default true
                     */
                    score?: boolean | null;
                    /**
                     * Scores
                     * @description Human scores that are stored with it, with the annotator as their author
                     * @default []
                     */
                    scores?: components["schemas"]["AnnotationScoreDraft"][] | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Annotation"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    undo_annotation_v1_annotations__id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    make_dataset_item_v1_annotations__id__to_dataset_item_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Dataset Id */
                    dataset_id: string;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetItem"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_calibration_v1_calibration_get: {
        parameters: {
            query: {
                /** @description Only the judge's scores of this configuration */
                config_hash?: string | null;
                /** @description The scorer that people's scores have */
                human: string;
                /** @description The scorer to check */
                judge: string;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Calibration"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_conversations_v1_conversations_get: {
        parameters: {
            query?: {
                /** @description Created after this moment */
                after?: string | null;
                /** @description Created before this moment */
                before?: string | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description With an error in some turn, or in none */
                has_error?: ("true" | "false") | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Words that the root span of some turn holds */
                q?: string | null;
                /** @description Those in which this user took part */
                user_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Conversation_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_conversation_v1_conversations__id__get: {
        parameters: {
            query?: {
                /** @description Needed when several projects have this conversation */
                project_id?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_turns_v1_conversations__id__turns_get: {
        parameters: {
            query?: {
                /** @description `readable`: `question` and `answer`, of at most 8,000 bytes each, in their place */
                content?: "full" | "readable";
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Needed when several projects have this conversation */
                project_id?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ConversationTurn_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_datasets_v1_datasets_get: {
        parameters: {
            query?: {
                /** @description `estimate`: the first page says how many rows the list has, counted up to 10,000 */
                count?: "estimate" | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description `experiments`: each with how many experiments are on it */
                include?: "experiments" | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description A text that is searched for, whatever its case */
                q?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountedPage_Dataset_"] | components["schemas"]["CountedPage_DatasetRow_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    create_dataset_v1_datasets_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "expected_output": "It arrives on Monday.",
                 *           "input": "Where is my order?"
                 *         }
                 *       ],
                 *       "name": "questions",
                 *       "project_id": "support"
                 *     }
                 */
                "application/json": {
                    /** Description */
                    description?: string | null;
                    /** Name */
                    name: string;
                    /** Project Id */
                    project_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_dataset_v1_datasets__id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dataset"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    delete_dataset_v1_datasets__id__delete: {
        parameters: {
            query?: {
                /** @description `true`: delete the experiments on it too; `false`: refuse (409) while there are some */
                cascade?: boolean | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_items_v1_datasets__id__items_get: {
        parameters: {
            query?: {
                /** @description `estimate`: the first page says how many rows the list has, counted up to 10,000 */
                count?: "estimate" | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description `lean`: texts cut at 300 characters */
                fields?: "all" | "lean";
                /** @description Rows per page */
                limit?: number;
                /** @description A text that is searched for, whatever its case */
                q?: string | null;
                version?: number | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountedPage_DatasetItem_"] | components["schemas"]["CountedPage_LeanItem_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    sync_items_v1_datasets__id__items_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Items */
                    items: components["schemas"]["ItemDraft"][];
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ItemsSynced"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    add_item_v1_datasets__id__items_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expected_output": "It arrives on Monday.",
                 *       "input": "Where is my order?"
                 *     }
                 */
                "application/json": {
                    /** Expected Output */
                    expected_output?: unknown;
                    /** Input */
                    input: unknown;
                    /**
                     * Key
                     * @description Your own id of the item, unique in the dataset's newest version
                     */
                    key?: string | null;
                    /** Metadata */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetItem"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_item_v1_datasets__id__items__item_id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetItem"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    change_item_v1_datasets__id__items__item_id__put: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
                item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Expected Output */
                    expected_output?: unknown;
                    /** Input */
                    input: unknown;
                    /**
                     * Key
                     * @description Your own id of the item, unique in the dataset's newest version
                     */
                    key?: string | null;
                    /** Metadata */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetItem"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    delete_item_v1_datasets__id__items__item_id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_item_runs_v1_datasets__id__items__item_id__runs_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ItemRun_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    export_items_v1_datasets__id__items_export_get: {
        parameters: {
            query?: {
                version?: number | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One JSON object per line */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    import_items_v1_datasets__id__items_import_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "text/csv": string;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Imported"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_quality_v1_datasets__id__quality_get: {
        parameters: {
            query: {
                /** @description How many items to list */
                most?: number;
                /** @description From which score on an item is solved */
                pass_threshold?: number;
                /** @description By whose numbers */
                scorer_name: string;
                /** @description List only items that were never, or always, solved */
                solved?: ("never" | "always") | null;
                /** @description Which items come first */
                sort?: "hardest" | "easiest" | "telling" | "misleading";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DatasetQuality"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_versions_v1_datasets__id__versions_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_DatasetVersion_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    stream_events_v1_events_get: {
        parameters: {
            query?: {
                /** @description `id` of the last event seen, for those who cannot send `Last-Event-ID` */
                after?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: {
                /** @description `id` of the last event seen: the stream goes on there */
                "Last-Event-ID"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too often; ask again after Retry-After seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_experiments_v1_experiments_get: {
        parameters: {
            query?: {
                /** @description `estimate`: the first page says how many rows the list has, counted up to 10,000 */
                count?: "estimate" | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                dataset_id?: string | null;
                /** @description `summary`: each with its scorers' means */
                include?: "summary" | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Only those of exactly this name */
                name?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description A text that is searched for, whatever its case */
                q?: string | null;
                /** @description Only those in this status */
                status?: ("created" | "running" | "completed") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountedPage_ExperimentRow_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    create_experiment_v1_experiments_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dataset_id": "DATASET_ID",
                 *       "name": "prompt-v2",
                 *       "trials": 2
                 *     }
                 */
                "application/json": {
                    /**
                     * Auto Complete
                     * @default false
                     */
                    auto_complete?: boolean | null;
                    /** Dataset Id */
                    dataset_id: string;
                    /** Metadata */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /** Name */
                    name: string;
                    /** Project Id */
                    project_id?: string | null;
                    /**
                     * Trials
                     * @default 1
                     */
                    trials?: number | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Experiment"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_experiment_v1_experiments__id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Experiment"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    delete_experiment_v1_experiments__id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_comparison_v1_experiments__id__compare__other__get: {
        parameters: {
            query?: {
                /** @description Make intervals by this method where it fits, instead of the default */
                interval?: ("wilson" | "beta_moments" | "cluster_wilson" | "clopper_pearson" | "jeffreys" | "t_clipped" | "bca") | null;
                /** @description `none` leaves `per_item_results` empty */
                items?: "all" | "none";
                min_effect?: number | null;
                /** @description What to do about runs without a score */
                missing?: "drop" | "zero" | "bracket";
            };
            header?: never;
            path: {
                id: string;
                other: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExperimentComparison"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_compared_items_v1_experiments__id__compare__other__items_get: {
        parameters: {
            query: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description What to do about runs without a score */
                missing?: "drop" | "zero" | "bracket";
                /** @description A text that is searched for, whatever its case */
                q?: string | null;
                /** @description Which scorer's scores */
                scorer_name: string;
                /** @description Only items that became this */
                show?: ("regressed" | "improved" | "unchanged" | "changed" | "only_base" | "only_other") | null;
                /** @description `delta`: the largest regression first */
                sort?: "delta" | "-delta" | "item";
            };
            header?: never;
            path: {
                id: string;
                other: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparedItems"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_points_v1_experiments__id__compare__other__points_get: {
        parameters: {
            query: {
                /** @description What to do about runs without a score */
                missing?: "drop" | "zero" | "bracket";
                /** @description Which scorer's scores */
                scorer_name: string;
            };
            header?: never;
            path: {
                id: string;
                other: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparisonPoints"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    complete_experiment_v1_experiments__id__complete_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description When the evaluation could end before all items were run */
                    stopping?: components["schemas"]["StoppingDraft"] | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Experiment"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_histogram_v1_experiments__id__histogram_get: {
        parameters: {
            query: {
                /** @description Of equal width, from 0 to 1 */
                bins?: number;
                /** @description Which scorer's scores */
                scorer_name: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Histogram"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    hold_experiment_v1_experiments__id__hold_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Holder
                     * @description Who holds it: a text that no other process has
                     */
                    holder: string;
                    /**
                     * Instead Of
                     * @description A holder that is known to be gone: take over from it
                     */
                    instead_of?: string | null;
                    /**
                     * Seconds
                     * @description For how long, from now; 0 releases it
                     */
                    seconds: number;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hold"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    put_metrics_v1_experiments__id__metrics_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Metrics */
                    metrics: {
                        [key: string]: components["schemas"]["MetricDraft"];
                    };
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Metrics"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_runs_v1_experiments__id__runs_get: {
        parameters: {
            query?: {
                /** @description `estimate`: the first page says how many rows the list has, counted up to 10,000 */
                count?: "estimate" | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Only runs of this item */
                dataset_item_id?: string | null;
                /** @description `lean`: texts cut at 300 characters, scores reduced */
                fields?: "all" | "lean";
                /** @description Whether the run failed */
                has_error?: ("true" | "false") | null;
                /** @description A label that `scorer_name` gave */
                label?: string | null;
                /** @description Rows per page */
                limit?: number;
                max?: number | null;
                min?: number | null;
                /** @description A text that is searched for, whatever its case */
                q?: string | null;
                /** @description Why there is no score of `scorer_name`, as in `reasons` */
                reason?: string | null;
                /** @description Only runs with a score of this scorer, unless asked */
                scorer_name?: string | null;
                /** @description created_at, -created_at, score, -score or item */
                sort?: string;
                /** @description Where runs stand with `scorer_name` */
                state?: ("scored" | "absent" | "failed" | "pending") | null;
                trial?: number | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountedPage_Run_"] | components["schemas"]["CountedPage_LeanRun_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    add_runs_v1_experiments__id__runs_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "runs": [
                 *         {
                 *           "dataset_item_id": "ITEM_ID",
                 *           "output": "It arrives on Monday.",
                 *           "scores": [
                 *             {
                 *               "scorer_name": "exact_match"
                 *             }
                 *           ]
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Replace Failed
                     * @description Replace runs of the same item and trial that ended in an error, also in a completed experiment
                     * @default false
                     */
                    replace_failed?: boolean | null;
                    /** Runs */
                    runs: components["schemas"]["RunDraft"][];
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunsAccepted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not available */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    score_experiment_v1_experiments__id__score_post: {
        parameters: {
            query?: {
                /** @description Only estimate what it would cost: nothing is stored, no model is called */
                dry_run?: boolean;
            };
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scorers": [
                 *         {
                 *           "config": {
                 *             "model": "openai/gpt-4o"
                 *           },
                 *           "scorer": "llm_judge",
                 *           "scorer_name": "helpfulness"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * No Cache
                     * @description Ask judges again, also what they were asked before
                     * @default false
                     */
                    no_cache?: boolean | null;
                    /**
                     * Only Missing
                     * @default true
                     */
                    only_missing?: boolean | null;
                    /** Scorers */
                    scorers: components["schemas"]["ScorerSpec"][];
                };
            };
        };
        responses: {
            /** @description With `dry_run`: the calls, tokens and cost it would take */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoringPreview"];
                };
            };
            /** @description Successful Response */
            202: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not available */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_summary_v1_experiments__id__summary_get: {
        parameters: {
            query?: {
                /** @description Key of the items' metadata that says what belongs together */
                cluster_by?: string | null;
                /** @description Make intervals by this method where it fits, instead of the default */
                interval?: ("wilson" | "beta_moments" | "cluster_wilson" | "clopper_pearson" | "jeffreys" | "t_clipped" | "bca") | null;
                /** @description What to do about runs without a score */
                missing?: "drop" | "zero" | "bracket";
                /** @description From which score on a run passed */
                pass_threshold?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summary"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_threshold_v1_experiments__id__threshold_get: {
        parameters: {
            query: {
                /** @description Hold the value against the bar, or its interval */
                bound?: "point" | "ci";
                /** @description Item metadata key to cluster by */
                cluster_by?: string | null;
                comparison?: "gte" | "gt" | "lte" | "lt";
                /** @description Make intervals by this method where it fits, instead of the default */
                interval?: ("wilson" | "beta_moments" | "cluster_wilson" | "clopper_pearson" | "jeffreys" | "t_clipped" | "bca") | null;
                /** @description For pass_at_k and pass_pow_k */
                k?: number | null;
                metric: "mean" | "min" | "max" | "ci_low" | "pass_at_k" | "pass_pow_k";
                /** @description Fewest items to decide on */
                min_n?: number | null;
                /** @description What to do about runs without a score */
                missing?: "drop" | "zero" | "bracket";
                /** @description Whose numbers */
                scorer_name: string;
                /** @description Decide on an interval that holds however often one looks */
                sequential?: "true" | "false";
                /** @description The bar */
                threshold: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThresholdResult"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    post_threshold_v1_experiments__id__threshold_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bound": "ci",
                 *       "comparison": "gte",
                 *       "metric": "mean",
                 *       "scorer_name": "exact_match",
                 *       "threshold": 0.8
                 *     }
                 */
                "application/json": {
                    /**
                     * Bound
                     * @default point
                     */
                    bound?: ("point" | "ci") | null;
                    /** Cluster By */
                    cluster_by?: string | null;
                    /**
                     * Comparison
                     * @default gte
                     */
                    comparison?: ("gte" | "gt" | "lte" | "lt") | null;
                    /**
                     * Interval
                     * @description How to make the interval, if not by the default
                     */
                    interval?: ("wilson" | "beta_moments" | "cluster_wilson" | "clopper_pearson" | "jeffreys" | "t_clipped" | "bca") | null;
                    /** K */
                    k?: number | null;
                    /**
                     * Metric
                     * @enum {string}
                     */
                    metric: "mean" | "min" | "max" | "ci_low" | "pass_at_k" | "pass_pow_k";
                    /**
                     * Min N
                     * @description Fewest items to decide on: 1 for a point, 5 for an interval unless given
                     */
                    min_n?: number | null;
                    /**
                     * Missing
                     * @default drop
                     */
                    missing?: ("drop" | "zero" | "bracket") | null;
                    /** Scorer Name */
                    scorer_name: string;
                    /**
                     * Sequential
                     * @description Decide on an interval that holds however often one looks
                     * @default false
                     */
                    sequential?: boolean | null;
                    /** Threshold */
                    threshold: number;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThresholdResult"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_thresholds_v1_experiments__id__thresholds_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ThresholdRecord_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_variance_v1_experiments__id__variance_get: {
        parameters: {
            query: {
                against?: string | null;
                scorer_name: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variance"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_integrity_v1_integrity_get: {
        parameters: {
            query?: {
                /** @description Only iterations of this agent's program */
                agent?: string | null;
                /** @description Only iterations with this label */
                label?: string | null;
                /** @description Only iterations whose agent used this model */
                model?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Only scores by this rubric version */
                rubric_version?: string | null;
                /** @description Only iterations with this rules file, as the facets list it */
                rules_file?: string | null;
                session_id?: string | null;
                /** @description Only iterations of this repository */
                source?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Honesty"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_iterations_v1_iterations_get: {
        parameters: {
            query?: {
                /** @description Only iterations of this agent's program */
                agent?: string | null;
                band?: string | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Only iterations with this label */
                label?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Only iterations whose agent used this model */
                model?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Stands on little evidence */
                provisional?: ("true" | "false") | null;
                /** @description Only scores by this rubric version */
                rubric_version?: string | null;
                /** @description Only iterations with this rules file, as the facets list it */
                rules_file?: string | null;
                session_id?: string | null;
                /** @description Only iterations of this repository */
                source?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Iteration_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    push_iterations_v1_iterations_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Iterations */
                    iterations: components["schemas"]["IterationDraft"][];
                    /** Project Id */
                    project_id?: string | null;
                    /**
                     * Repository Url
                     * @description Where it is on the web, such as https://github.com/owner/name; pages link commits
                     */
                    repository_url?: string | null;
                    /**
                     * Source
                     * @description Which repository: its remote's name, or what you call it
                     */
                    source: string;
                };
            };
        };
        responses: {
            /** @description all of them were stored before, and are up to date now */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IterationsAccepted"];
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IterationsAccepted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_iteration_v1_iterations__id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Iteration"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_iteration_context_v1_iterations__id__context_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IterationContext"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    compare_iterations_v1_iterations_compare_get: {
        parameters: {
            query: {
                /** @description The base, needed unless there are two. A period: FROM..TO */
                a?: string | null;
                /** @description Only iterations of this agent's program */
                agent?: string | null;
                /** @description What is compared with it */
                b?: string | null;
                band?: string | null;
                /** @description What the iterations of a group have in common */
                by: "session" | "agent" | "model" | "label" | "period" | "rubric" | "rules-file";
                /** @description What varies: `session` unless said; `task` when sessions are compared */
                cluster_by?: ("session" | "task") | null;
                /** @description Only iterations with this label */
                label?: string | null;
                /** @description The smallest difference that matters */
                min_effect?: number | null;
                /** @description Only iterations whose agent used this model */
                model?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Only scores by this rubric version */
                rubric_version?: string | null;
                /** @description Only iterations with this rules file, as the facets list it */
                rules_file?: string | null;
                /** @description All scorers when left out */
                scorer_name?: string | null;
                session_id?: string | null;
                /** @description Only iterations of this repository */
                source?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IterationComparison"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_iteration_facets_v1_iterations_facets_get: {
        parameters: {
            query?: {
                /** @description Only iterations of this agent's program */
                agent?: string | null;
                band?: string | null;
                /** @description Only iterations with this label */
                label?: string | null;
                /** @description Only iterations whose agent used this model */
                model?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Only scores by this rubric version */
                rubric_version?: string | null;
                /** @description Only iterations with this rules file, as the facets list it */
                rules_file?: string | null;
                session_id?: string | null;
                /** @description Only iterations of this repository */
                source?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IterationFacets"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_iteration_summary_v1_iterations_summary_get: {
        parameters: {
            query?: {
                /** @description Only iterations of this agent's program */
                agent?: string | null;
                band?: string | null;
                /** @description What varies: iterations of one of these stand together */
                cluster_by?: "session" | "task";
                /** @description Make intervals by this method where it fits, instead of the default */
                interval?: ("wilson" | "beta_moments" | "cluster_wilson" | "clopper_pearson" | "jeffreys" | "t_clipped" | "bca") | null;
                /** @description Only iterations with this label */
                label?: string | null;
                /** @description What to do about runs without a score */
                missing?: "drop" | "zero" | "bracket";
                /** @description Only iterations whose agent used this model */
                model?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Only scores by this rubric version */
                rubric_version?: string | null;
                /** @description Only iterations with this rules file, as the facets list it */
                rules_file?: string | null;
                session_id?: string | null;
                /** @description Only iterations of this repository */
                source?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IterationSummary"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    try_iteration_threshold_v1_iterations_threshold_get: {
        parameters: {
            query: {
                /** @description Only iterations of this agent's program */
                agent?: string | null;
                band?: string | null;
                /** @description Hold the value against the bar, or its interval */
                bound?: "point" | "ci";
                /** @description What varies: iterations of one of these stand together */
                cluster_by?: "session" | "task";
                comparison?: "gte" | "gt" | "lte" | "lt";
                /** @description Make intervals by this method where it fits, instead of the default */
                interval?: ("wilson" | "beta_moments" | "cluster_wilson" | "clopper_pearson" | "jeffreys" | "t_clipped" | "bca") | null;
                /** @description Only iterations with this label */
                label?: string | null;
                metric: "mean" | "min" | "max" | "ci_low";
                /** @description Fewest sessions to decide on */
                min_n?: number | null;
                /** @description What to do about runs without a score */
                missing?: "drop" | "zero" | "bracket";
                /** @description Only iterations whose agent used this model */
                model?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Only scores by this rubric version */
                rubric_version?: string | null;
                /** @description Only iterations with this rules file, as the facets list it */
                rules_file?: string | null;
                /** @description Whose numbers; `outcome` is the total */
                scorer_name: string;
                session_id?: string | null;
                /** @description Only iterations of this repository */
                source?: string | null;
                /** @description The bar */
                threshold: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ThresholdResult"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_iteration_trend_v1_iterations_trend_get: {
        parameters: {
            query?: {
                /** @description Only iterations of this agent's program */
                agent?: string | null;
                band?: string | null;
                /** @description Only iterations with a lower number */
                before?: number | null;
                /** @description Only iterations with this label */
                label?: string | null;
                /** @description At most so many, the newest */
                limit?: number;
                /** @description Only iterations whose agent used this model */
                model?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Stands on little evidence */
                provisional?: ("true" | "false") | null;
                /** @description Only scores by this rubric version */
                rubric_version?: string | null;
                /** @description Only iterations with this rules file, as the facets list it */
                rules_file?: string | null;
                session_id?: string | null;
                /** @description Only iterations of this repository */
                source?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IterationTrend"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_jobs_v1_jobs_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                status?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Job_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_job_v1_jobs__id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    cancel_job_v1_jobs__id__cancel_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    retry_job_v1_jobs__id__retry_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_jobs_summary_v1_jobs_summary_get: {
        parameters: {
            query?: {
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobsSummary"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_judges_v1_judges_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Judge_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_card_v1_judges__scorer_name__card_get: {
        parameters: {
            query?: {
                /** @description Which configuration; the last used unless given */
                config_hash?: string | null;
                /** @description The scorer that people's scores have; found unless given */
                human?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: never;
            path: {
                scorer_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JudgeCard"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    probe_judge_v1_judges__scorer_name__probe_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                scorer_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Config Hash
                     * @description Which configuration; the last used unless given
                     */
                    config_hash?: string | null;
                    /** Project Id */
                    project_id?: string | null;
                    /**
                     * Samples
                     * @description Targets to ask about, drawn at random
                     * @default 50
                     */
                    samples?: number | null;
                    /**
                     * Seed
                     * @default 0
                     */
                    seed?: number | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not available */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_probe_plan_v1_judges__scorer_name__probe_plan_get: {
        parameters: {
            query?: {
                /** @description Which configuration; the last used unless given */
                config_hash?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Targets to ask about */
                samples?: number;
                /** @description Which targets are drawn */
                seed?: number;
            };
            header?: never;
            path: {
                scorer_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProbePlan"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_to_label_v1_judges__scorer_name__to_label_get: {
        parameters: {
            query?: {
                /** @description Which configuration; the last used unless given */
                config_hash?: string | null;
                /** @description The scorer that people's scores have; found unless given */
                human?: string | null;
                /** @description How many to name */
                limit?: number;
                /** @description By lot, or where a label tells most */
                mode?: "random" | "informative";
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description How far the interval may reach to each side */
                target_width?: number;
            };
            header?: never;
            path: {
                scorer_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToLabel"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_keys_v1_keys_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Key_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    create_key_v1_keys_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ci",
                 *       "project_id": "support",
                 *       "role": "write"
                 *     }
                 */
                "application/json": {
                    /**
                     * Expires At
                     * @description When the key ends by itself; null: never
                     */
                    expires_at?: string | null;
                    /**
                     * Name
                     * @description A reviewer needs one: its annotations are stored under it
                     */
                    name?: string | null;
                    /**
                     * Project Id
                     * @description The only project that the key sees
                     */
                    project_id?: string | null;
                    /**
                     * Role
                     * @description `reviewer` sees the review queue of its project, and annotates; nothing else
                     * @enum {string}
                     */
                    role: "reviewer" | "read" | "write" | "admin";
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    revoke_key_v1_keys__id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_leaderboard_v1_leaderboard_get: {
        parameters: {
            query: {
                dataset_id: string;
                /** @description Make intervals by this method where it fits, instead of the default */
                interval?: ("wilson" | "beta_moments" | "cluster_wilson" | "clopper_pearson" | "jeffreys" | "t_clipped" | "bca") | null;
                /** @description pass@k and pass^k up to this k */
                k?: number | null;
                min_effect?: number | null;
                /** @description What a run without a number counts as */
                missing?: "drop" | "zero" | "bracket";
                pass_threshold?: number;
                scorer_name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Leaderboard"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_leaderboard_page_v1_leaderboard_page_get: {
        parameters: {
            query: {
                dataset_id: string;
                /** @description Make intervals by this method where it fits, instead of the default */
                interval?: ("wilson" | "beta_moments" | "cluster_wilson" | "clopper_pearson" | "jeffreys" | "t_clipped" | "bca") | null;
                /** @description pass@k and pass^k up to this k */
                k?: number | null;
                min_effect?: number | null;
                /** @description What a run without a number counts as */
                missing?: "drop" | "zero" | "bracket";
                pass_threshold?: number;
                scorer_name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    receive_otlp_logs_v1_logs_post: {
        parameters: {
            query?: {
                /** @description Where the key is bound to no project: wins over what the resources say */
                project_id?: string | null;
            };
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            /** @description accepted, at least in part */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description of a kind that is not read here */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    get_outcomes_page_v1_outcomes_page_get: {
        parameters: {
            query?: {
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Only scores by this rubric version */
                rubric_version?: string | null;
                /** @description Only iterations of this repository */
                source?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    run_playground_v1_playground_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "candidates": [
                 *         {
                 *           "messages": [
                 *             {
                 *               "content": "Answer customers in one sentence.",
                 *               "role": "system"
                 *             },
                 *             {
                 *               "content": "{{input}}",
                 *               "role": "user"
                 *             }
                 *           ],
                 *           "model": "openai/gpt-4o-mini",
                 *           "params": {
                 *             "temperature": 0
                 *           }
                 *         }
                 *       ],
                 *       "dataset_id": "DATASET_ID",
                 *       "first_items": 10,
                 *       "project_id": "support",
                 *       "scorers": [
                 *         {
                 *           "scorer_name": "exact_match"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** Candidates */
                    candidates: components["schemas"]["CandidateDraft"][];
                    /** Dataset Id */
                    dataset_id: string;
                    /**
                     * First Items
                     * @description How many of the dataset's first items, where `item_ids` is left out
                     * @default 10
                     */
                    first_items?: number | null;
                    /**
                     * Item Ids
                     * @description The items to answer; without it the dataset's first ones
                     */
                    item_ids?: string[] | null;
                    /**
                     * Name
                     * @description How the names of the experiments begin
                     * @default playground
                     */
                    name?: string | null;
                    /** Project Id */
                    project_id?: string | null;
                    /**
                     * Scorers
                     * @description Built-in scorers of the answers; judges among them become jobs
                     * @default []
                     */
                    scorers?: components["schemas"]["ScorerSpec"][] | null;
                    /**
                     * Trials
                     * @default 1
                     */
                    trials?: number | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlaygroundAccepted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not available */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_models_v1_playground_models_get: {
        parameters: {
            query?: {
                /** @description A name to ask about */
                model?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AskableModels"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    preview_playground_v1_playground_preview_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "candidates": [
                 *         {
                 *           "messages": [
                 *             {
                 *               "content": "Answer customers in one sentence.",
                 *               "role": "system"
                 *             },
                 *             {
                 *               "content": "{{input}}",
                 *               "role": "user"
                 *             }
                 *           ],
                 *           "model": "openai/gpt-4o-mini",
                 *           "params": {
                 *             "temperature": 0
                 *           }
                 *         }
                 *       ],
                 *       "dataset_id": "DATASET_ID",
                 *       "first_items": 10,
                 *       "project_id": "support",
                 *       "scorers": [
                 *         {
                 *           "scorer_name": "exact_match"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** Candidates */
                    candidates: components["schemas"]["CandidateDraft"][];
                    /** Dataset Id */
                    dataset_id: string;
                    /**
                     * First Items
                     * @description How many of the dataset's first items, where `item_ids` is left out
                     * @default 10
                     */
                    first_items?: number | null;
                    /**
                     * Item Ids
                     * @description The items to answer; without it the dataset's first ones
                     */
                    item_ids?: string[] | null;
                    /**
                     * Name
                     * @description How the names of the experiments begin
                     * @default playground
                     */
                    name?: string | null;
                    /** Project Id */
                    project_id?: string | null;
                    /**
                     * Scorers
                     * @description Built-in scorers of the answers; judges among them become jobs
                     * @default []
                     */
                    scorers?: components["schemas"]["ScorerSpec"][] | null;
                    /**
                     * Trials
                     * @default 1
                     */
                    trials?: number | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlaygroundPreview"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not available */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_projects_v1_projects_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Project_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    create_project_v1_projects_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Id */
                    id: string;
                    /** Name */
                    name?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_project_v1_projects__id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    delete_project_v1_projects__id__delete: {
        parameters: {
            query?: {
                /** @description The project's id once more */
                confirm?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_budget_v1_projects__id__budget_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    put_budget_v1_projects__id__budget_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Tokens Per Day */
                    tokens_per_day?: number | null;
                    /** Usd Per Day */
                    usd_per_day?: number | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Budget"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_project_contents_v1_projects__id__contents_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectContents"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_dashboard_v1_projects__id__dashboard_get: {
        parameters: {
            query?: {
                /** @description How far back the figures of traces go */
                window?: "24h" | "7d" | "30d";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Dashboard"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_drift_v1_projects__id__drift_get: {
        parameters: {
            query?: {
                /** @description `model`, or a metadata key of the spans */
                by?: string | null;
                /** @description The newest when left out; empty for none */
                config_hash?: string | null;
                /** @description FROM..TO; the first 7 days with scores when left out */
                reference?: string | null;
                /** @description All scorers when left out */
                scorer_name?: string | null;
                /** @description Leave out days after this one */
                until?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Drift"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_metadata_keys_v1_projects__id__metadata_keys_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetadataKeys"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    put_metadata_keys_v1_projects__id__metadata_keys_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Keys */
                    keys: string[];
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetadataKeys"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_prices_v1_projects__id__prices_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prices"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    put_prices_v1_projects__id__prices_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Prices */
                    prices: components["schemas"]["ModelPriceDraft"][];
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Prices"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_retention_v1_projects__id__retention_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    put_retention_v1_projects__id__retention_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Keep Scored
                     * @description Keep every trace that has a score
                     * @default false
                     */
                    keep_scored?: boolean | null;
                    /**
                     * Retention Days
                     * @description Null or left out: for ever
                     */
                    retention_days?: number | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_review_settings_v1_projects__id__review_settings_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewSettings"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    put_review_settings_v1_projects__id__review_settings_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "free_labels": false,
                 *       "labels": [
                 *         {
                 *           "label": "right",
                 *           "value": 1
                 *         },
                 *         {
                 *           "hint": "Any false statement.",
                 *           "label": "wrong",
                 *           "value": 0
                 *         }
                 *       ],
                 *       "reviews_wanted": 2
                 *     }
                 */
                "application/json": {
                    /**
                     * Blind
                     * @description Whether reviewers see what others said only after their own; default: if several are wanted
                     */
                    blind?: boolean | null;
                    /**
                     * Free Labels
                     * @description Whether labels beside those of the set are taken
                     */
                    free_labels?: boolean | null;
                    /** Labels */
                    labels?: components["schemas"]["ReviewLabel"][] | null;
                    /**
                     * Reviews Wanted
                     * @description A card waits until so many different people have annotated it
                     */
                    reviews_wanted?: number | null;
                    /**
                     * Scorer Name
                     * @description Name of the human scores that labels give
                     */
                    scorer_name?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewSettings"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_project_summary_v1_projects__id__summary_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSummary"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_text_search_v1_projects__id__text_search_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextSearch"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    put_text_search_v1_projects__id__text_search_put: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Enabled */
                    enabled: boolean;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TextSearch"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_trends_v1_projects__id__trends_get: {
        parameters: {
            query?: {
                /** @description Completed after this moment */
                after?: string | null;
                /** @description Completed before this moment */
                before?: string | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Only experiments on this dataset */
                dataset_id?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description All scorers when left out */
                scorer_name?: string | null;
                /** @description Oldest first, or with - newest first */
                sort?: "completed_at" | "-completed_at";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ExperimentPoint_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_score_trends_v1_projects__id__trends_scores_get: {
        parameters: {
            query?: {
                /** @description Of spans that began after this moment; the last 30 days or 48 hours if not */
                after?: string | null;
                /** @description Of spans that began before this moment */
                before?: string | null;
                /** @description UTC */
                bucket?: "hour" | "day";
                /** @description All scorers when left out */
                scorer_name?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreTrends"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_trace_trends_v1_projects__id__trends_traces_get: {
        parameters: {
            query?: {
                /** @description 7 days (hour) or 30 days (day) before `before` unless said */
                after?: string | null;
                /** @description Now unless said */
                before?: string | null;
                bucket?: "hour" | "day";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceTrends"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_queue_v1_queue_get: {
        parameters: {
            query?: {
                /** @description Only what this person annotated; with `mine`, the caller */
                annotator?: string | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Only what the caller has annotated, or has not */
                mine?: boolean | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description A text that is searched for, whatever its case */
                q?: string | null;
                status?: "pending" | "annotated";
                target_type?: ("trace" | "run") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_QueueItem_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    enqueue_targets_v1_queue_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "project_id": "support",
                 *       "reason": "what to label next",
                 *       "targets": [
                 *         {
                 *           "target_id": "TRACE_ID",
                 *           "target_type": "trace"
                 *         },
                 *         {
                 *           "target_id": "RUN_ID",
                 *           "target_type": "run"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** Project Id */
                    project_id?: string | null;
                    /**
                     * Reason
                     * @description Why somebody should look at them
                     */
                    reason?: string | null;
                    /** Targets */
                    targets: components["schemas"]["QueueTarget"][];
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedTargets"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_card_v1_queue__target_type___target_id__get: {
        parameters: {
            query?: {
                /** @description Who reviews; empty: somebody who has annotated nothing. Left out: nothing is held back */
                annotator?: string | null;
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
            };
            header?: never;
            path: {
                target_id: string;
                target_type: "trace" | "run";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewCard"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    claim_card_v1_queue__target_type___target_id__claim_post: {
        parameters: {
            query?: {
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
            };
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                target_id: string;
                target_type: "trace" | "run";
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "annotator": "ana"
                 *     }
                 */
                "application/json": {
                    /**
                     * Annotator
                     * @description Who reviews. A key of the role reviewer claims in its own name, and may leave it out
                     */
                    annotator?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewClaim"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    release_card_v1_queue__target_type___target_id__claim_delete: {
        parameters: {
            query?: {
                /** @description Who reviews; a key of the role reviewer does in its own name */
                annotator?: string | null;
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
            };
            header?: never;
            path: {
                target_id: string;
                target_type: "trace" | "run";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewClaim"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    count_queue_v1_queue_counts_get: {
        parameters: {
            query?: {
                /** @description Who reviews; a key of the role reviewer does in its own name */
                annotator?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewCounts"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    next_card_v1_queue_next_get: {
        parameters: {
            query?: {
                /** @description The card that is looked at now: trace/ID or run/ID */
                after?: string | null;
                /** @description Who reviews; a key of the role reviewer does in its own name */
                annotator?: string | null;
                direction?: "next" | "previous";
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NextCard"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    claim_next_card_v1_queue_next_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * After
                     * @description The card that is looked at now: trace/ID or run/ID
                     */
                    after?: string | null;
                    /**
                     * Annotator
                     * @description Who reviews. A key of the role reviewer claims in its own name, and may leave it out
                     */
                    annotator?: string | null;
                    /**
                     * Direction
                     * @default next
                     */
                    direction?: ("next" | "previous") | null;
                    /** Project Id */
                    project_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NextCard"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    create_review_link_v1_review_links_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "days": 7,
                 *       "name": "ana",
                 *       "project_id": "support"
                 *     }
                 */
                "application/json": {
                    /**
                     * Days
                     * @description How long the link and its key are valid
                     * @default 7
                     */
                    days?: number | null;
                    /**
                     * Name
                     * @description Who the link is for: the annotations are stored under this name
                     */
                    name: string;
                    /** Project Id */
                    project_id?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewLink"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_agreement_v1_review_agreement_get: {
        parameters: {
            query?: {
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Whose numbers; default: those that labels give */
                scorer_name?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewAgreement"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_rules_v1_rules_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_Rule_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    create_rule_v1_rules_post: {
        parameters: {
            query?: {
                /** @description Only estimate what it would cost: nothing is stored, no model is called */
                dry_run?: boolean;
            };
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Enabled
                     * @default true
                     */
                    enabled?: boolean | null;
                    /**
                     * @default {
                     *       "root_only": false
                     *     }
                     */
                    filter?: components["schemas"]["SpanFilter"] | null;
                    /** Name */
                    name: string;
                    /** Project Id */
                    project_id?: string | null;
                    /**
                     * Sampling Rate
                     * @description Share of the matching spans to score
                     * @default 1
                     */
                    sampling_rate?: number | null;
                    scorer: components["schemas"]["ScorerSpec"];
                    /**
                     * Target
                     * @description What is scored: each span that matches; or the whole trace or conversation in which some span matches, once nothing has come to it for 60 s or 30 min
                     * @default span
                     */
                    target?: ("span" | "trace" | "conversation") | null;
                };
            };
        };
        responses: {
            /** @description With `dry_run`: what it would have scored in 7 days */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulePreview"];
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not available */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_rule_v1_rules__id__get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    delete_rule_v1_rules__id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    change_rule_v1_rules__id__patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Enabled */
                    enabled?: boolean | null;
                    /** Name */
                    name?: string | null;
                    /** Sampling Rate */
                    sampling_rate?: number | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rule"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_run_v1_runs__id__get: {
        parameters: {
            query?: {
                /** @description Cut input, output and expected output at this many bytes */
                max_bytes?: number | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    enqueue_run_v1_runs__id__queue_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "worse than before"
                 *     }
                 */
                "application/json": {
                    /**
                     * Reason
                     * @description Why somebody should look at it
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedRun"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    dequeue_run_v1_runs__id__queue_delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedRun"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_run_transcript_v1_runs__id__transcript_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunTranscript"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_scorers_v1_scorers_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Only scores in experiments on this dataset */
                dataset_id?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ScorerInUse_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_scores_v1_scores_get: {
        parameters: {
            query: {
                /** @description `estimate`: the first page says how many rows the list has, counted up to 10,000 */
                count?: "estimate" | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Conversations of several projects may have one id */
                project_id?: string | null;
                scorer_name?: string | null;
                target_id: string;
                /** @description Whatever has this id unless said */
                target_type?: ("run" | "span" | "iteration" | "conversation") | null;
                trace_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountedPage_Score_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    attach_score_v1_scores_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rationale": "names the right day",
                 *       "scorer_name": "correctness",
                 *       "target_id": "RUN_ID",
                 *       "target_type": "run",
                 *       "value": 0.9
                 *     }
                 */
                "application/json": {
                    /**
                     * Absent
                     * @description Why there is nothing to score: kept as a scoring state, without a score
                     */
                    absent?: string | null;
                    /**
                     * Config
                     * @description The scorer's own keys, such as `expected_output`; beside it they are refused
                     */
                    config?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * Failed
                     * @description Why scoring failed: kept as a scoring state, without a score
                     */
                    failed?: string | null;
                    /** Metadata */
                    metadata?: {
                        [key: string]: unknown;
                    } | null;
                    /**
                     * Project Id
                     * @description Needed when several projects have a conversation of that id, or a span of that id and `trace_id`
                     */
                    project_id?: string | null;
                    /** Rationale */
                    rationale?: string | null;
                    /**
                     * Scorer
                     * @description The built-in to run; `scorer_name` unless said
                     */
                    scorer?: string | null;
                    /** Scorer Name */
                    scorer_name: string;
                    /**
                     * Source
                     * @description Only `human` is taken from a caller
                     */
                    source?: ("api" | "builtin" | "judge" | "human") | null;
                    /** Target Id */
                    target_id: string;
                    /**
                     * Target Type
                     * @enum {string}
                     */
                    target_type: "run" | "span" | "iteration" | "conversation";
                    /**
                     * Trace Id
                     * @description Needed for a span of OpenTelemetry's, and when several traces hold that span id
                     */
                    trace_id?: string | null;
                    /** Value */
                    value?: number | string | null;
                };
            };
        };
        responses: {
            /** @description There is no score: nothing to score, or it failed. The scoring state says why */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": null;
                };
            };
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Score"];
                };
            };
            /** @description A judge will be asked by this job */
            202: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not available */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    attach_scores_v1_scores_batch_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scores": [
                 *         {
                 *           "scorer_name": "correctness",
                 *           "target_id": "RUN_ID",
                 *           "target_type": "run",
                 *           "value": 0.9
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** Scores */
                    scores: components["schemas"]["ScoreDraft"][];
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoresAccepted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not available */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_states_v1_scoring_states_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                experiment_id?: string | null;
                /** @description Rows per page */
                limit?: number;
                scorer_name?: string | null;
                state?: ("queued" | "running" | "scored" | "absent" | "failed" | "sampled_out" | "cancelled") | null;
                target_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ScoringState_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_session_v1_session_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    log_in_v1_session_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Code
                     * @description The code of a login link; it works once
                     */
                    code?: string | null;
                    /**
                     * Key
                     * @description A key, as `gnomon key create` shows it
                     */
                    key?: string | null;
                    /**
                     * Share
                     * @description The token of a share; works until it ends
                     */
                    share?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too often; ask again after Retry-After seconds */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    log_out_v1_session_delete: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    create_login_code_v1_session_codes_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginCode"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_sessions_v1_sessions_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Only scores by this rubric version */
                rubric_version?: string | null;
                /** @description Only iterations of this repository */
                source?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_OutcomeSession_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_shares_v1_shares_get: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ViewShare_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    create_share_v1_shares_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "expires_in_days": 14,
                 *       "path": "/projects/support/compare/0195309c-bc80-7000-8000-000000000001/0195309c-bc80-7000-8000-000000000002"
                 *     }
                 */
                "application/json": {
                    /**
                     * Expires In Days
                     * @description How long the link works
                     * @default 14
                     */
                    expires_in_days?: number | null;
                    /**
                     * Path
                     * @description The view's address in the page: `/projects/PROJECT/compare/BASE/OTHER`, `…/experiments/ID`, `…/traces/ID`, `…/iterations/ID` or `…/leaderboard?dataset=ID`, with the view's parameters
                     */
                    path: string;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewShare"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    revoke_share_v1_shares__id__delete: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    list_traces_v1_traces_get: {
        parameters: {
            query?: {
                /** @description Created after this moment */
                after?: string | null;
                /** @description Created before this moment */
                before?: string | null;
                /** @description Of this conversation */
                conversation_id?: string | null;
                /** @description `estimate`: the first page says how many rows the list has, counted up to 10,000 */
                count?: "estimate" | null;
                /** @description `next_cursor` of the page before */
                cursor?: string | null;
                has_error?: ("true" | "false") | null;
                in_queue?: ("true" | "false") | null;
                /** @description Rows per page */
                limit?: number;
                /** @description Only with `scorer_name` */
                max?: number | null;
                /** @description Of the root span */
                max_duration_ms?: number | null;
                /** @description Only with `scorer_name` */
                min?: number | null;
                /** @description Of the root span */
                min_duration_ms?: number | null;
                /** @description With a span of this model */
                model?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Words that the root span holds */
                q?: string | null;
                /** @description With a span that has a score of this scorer */
                scorer_name?: string | null;
                /** @description What has no duration or cost comes last */
                sort?: "-created_at" | "created_at" | "-duration" | "duration" | "-tokens" | "-cost";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountedPage_TraceRow_"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    receive_otlp_traces_v1_traces_post: {
        parameters: {
            query?: {
                /** @description Where the key is bound to no project: wins over what the resources say */
                project_id?: string | null;
            };
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
                "application/x-protobuf": string;
            };
        };
        responses: {
            /** @description accepted, at least in part */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description of a kind that is not read here */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                    "application/x-protobuf": string;
                };
            };
        };
    };
    get_trace_v1_traces__id__get: {
        parameters: {
            query?: {
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
                /** @description `skeleton`: as arrays, without what may be large */
                spans?: "full" | "skeleton";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trace"] | components["schemas"]["TraceSkeleton"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    delete_trace_v1_traces__id__delete: {
        parameters: {
            query?: {
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    find_spans_v1_traces__id__find_get: {
        parameters: {
            query: {
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
                /** @description Upper and lower case are the same */
                q: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundSpans"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    enqueue_trace_v1_traces__id__queue_post: {
        parameters: {
            query?: {
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
            };
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "to check the judge against people"
                 *     }
                 */
                "application/json": {
                    /**
                     * Reason
                     * @description Why somebody should look at it
                     */
                    reason?: string | null;
                };
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queued"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    dequeue_trace_v1_traces__id__queue_delete: {
        parameters: {
            query?: {
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queued"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_trace_scores_v1_traces__id__scores_get: {
        parameters: {
            query?: {
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceScores"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_span_v1_traces__id__spans__span_id__get: {
        parameters: {
            query?: {
                /** @description Cut longer inputs, outputs and texts of attributes */
                max_bytes?: number | null;
                /** @description Needed when several projects have this trace id */
                project_id?: string | null;
            };
            header?: never;
            path: {
                id: string;
                span_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpanDetail"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_trace_facets_v1_traces_facets_get: {
        parameters: {
            query?: {
                /** @description Created after this moment */
                after?: string | null;
                /** @description Created before this moment */
                before?: string | null;
                /** @description Of this conversation */
                conversation_id?: string | null;
                has_error?: ("true" | "false") | null;
                in_queue?: ("true" | "false") | null;
                /** @description Only with `scorer_name` */
                max?: number | null;
                /** @description Of the root span */
                max_duration_ms?: number | null;
                /** @description Only with `scorer_name` */
                min?: number | null;
                /** @description Of the root span */
                min_duration_ms?: number | null;
                /** @description With a span of this model */
                model?: string | null;
                /** @description Needed unless the key is bound to a project */
                project_id?: string | null;
                /** @description Words that the root span holds */
                q?: string | null;
                /** @description With a span that has a score of this scorer */
                scorer_name?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraceFacets"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    ingest_spans_v1_traces_ingest_post: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "project_id": "support",
                 *       "spans": [
                 *         {
                 *           "end_time": "2026-01-31T12:00:01Z",
                 *           "id": "span-1",
                 *           "input": "Where is my order?",
                 *           "name": "answer",
                 *           "output": "It arrives on Monday.",
                 *           "scores": [
                 *             {
                 *               "config": {
                 *                 "expected_output": "Monday"
                 *               },
                 *               "scorer_name": "contains"
                 *             }
                 *           ],
                 *           "start_time": "2026-01-31T12:00:00Z",
                 *           "trace_id": "trace-1"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** Project Id */
                    project_id?: string | null;
                    /** Spans */
                    spans: components["schemas"]["SpanDraft"][];
                };
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ingested"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description exists already, or ambiguous */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not available */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    score_spans_v1_traces_score_post: {
        parameters: {
            query?: {
                /** @description Only estimate what it would cost: nothing is stored, no model is called */
                dry_run?: boolean;
            };
            header?: {
                /** @description `handling=strict` refuses a body with unknown fields (400) instead of ignoring them */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @default {
                     *       "root_only": false
                     *     }
                     */
                    filter?: components["schemas"]["PastSpanFilter"] | null;
                    /**
                     * No Cache
                     * @description Ask judges again, also what they were asked before
                     * @default false
                     */
                    no_cache?: boolean | null;
                    /**
                     * Only Missing
                     * @default true
                     */
                    only_missing?: boolean | null;
                    /** Project Id */
                    project_id?: string | null;
                    /**
                     * Sampling Rate
                     * @description Share of the matching spans to score
                     * @default 1
                     */
                    sampling_rate?: number | null;
                    /** Scorers */
                    scorers: components["schemas"]["ScorerSpec"][];
                };
            };
        };
        responses: {
            /** @description With `dry_run`: the calls, tokens and cost it would take */
            200: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoringPreview"];
                };
            };
            /** @description Successful Response */
            202: {
                headers: {
                    /** @description Fields of the body that are not known and were ignored: up to 20 paths, then `+N` */
                    "Gnomon-Ignored"?: string;
                    /** @description `handling=strict` when the caller preferred it */
                    "Preference-Applied"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAccepted"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description well formed, but not possible */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not available */
            501: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
    get_words_v1_words_get: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Words"];
                };
            };
            /** @description malformed */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description no valid key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description the key's role does not allow it */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description something broke here */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
            /** @description busy, or the database cannot be used now; ask again after Retry-After seconds */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorAnswer"];
                };
            };
        };
    };
}
