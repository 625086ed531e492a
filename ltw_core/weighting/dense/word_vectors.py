"""Plain SGD on fastText's supervised model: one pass over the documents, one document at a time."""

import math

from ltw_core.weighting.compilation import compiled


@compiled
def pass_over(starts, terms, counts, share, y, order, vectors, output, hidden, change, rate, decay):
    """One epoch; changes `vectors` and `output` in place.

    starts, terms, counts : the documents as CSR, counts float32
    share : 1 / (occurrences in the document + 1), float32; the one more is the end of the document, whose vector is
        the last row of `vectors`
    order : rows of the documents, in the order of the pass
    hidden, change : room for as many numbers as a vector has
    rate, decay : learning rate before the first document, and what each occurrence takes from it
    Returns (learning rate after the pass, sum of the losses).
    """
    kind = vectors.dtype.type
    size, end, loss = output.size, vectors.shape[0] - 1, 0.0
    for row in order:
        begin, stop, inverse = starts[row], starts[row + 1], share[row]
        for d in range(size):
            hidden[d] = vectors[end, d]
        for k in range(begin, stop):
            vector, count = vectors[terms[k]], counts[k]
            for d in range(size):
                hidden[d] += count * vector[d]
        z = kind(0)
        for d in range(size):
            hidden[d] *= inverse
            z += hidden[d] * output[d]
        tail = math.exp(-abs(z))
        probability = 1.0 / (1.0 + tail) if z >= 0 else tail / (1.0 + tail)
        loss += max(z, 0.0) - z * y[row] + math.log1p(tail)
        error = kind(rate * (y[row] - probability))
        # softmax over two outputs: the difference of their vectors moves by twice the gradient of each
        for d in range(size):
            change[d] = error * inverse * output[d]
            output[d] += 2 * error * hidden[d]
            vectors[end, d] += change[d]
        for k in range(begin, stop):
            vector, count = vectors[terms[k]], counts[k]
            for d in range(size):
                vector[d] += count * change[d]
        rate = max(rate - decay / inverse, 0.0)
    return rate, loss
