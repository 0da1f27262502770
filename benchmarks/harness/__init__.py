"""What every benchmark uses: options, timings, results, data sets, texts, embedders, processes."""
